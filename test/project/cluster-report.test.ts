import { BOUNDS } from '../cluster/bounds';
import { FAULTS } from '../cluster/faults';
import { Report } from '../cluster/report';

describe('The report of the cluster suite', () => {
  const fault = { seconds: 20, calls: 100, failed: 0, violations: 0, gap: 1, gapOfServer: 1 };

  function reportOf(name: string, changes: Partial<typeof fault>, holdsBounds = true): Report {
    const report = new Report(Object.keys(FAULTS), holdsBounds);
    report.add(name, { ...fault, ...changes });
    return report;
  }

  it('passes within the bounds of docs/cluster.md', () => {
    const report = reportOf('rabbitmq-frozen', { gap: 10, gapOfServer: 10 });
    expect([report.failed, report.toString()]).toEqual([
      false,
      expect.stringContaining('1 passed, 0 failed'),
    ]);
  });

  it.each([
    ['rabbitmq-frozen', { gap: 10.1 }, 'rabbitmq-frozen: 10.1 s without service, not 10'],
    ['rabbitmq-frozen', { gapOfServer: 23 }, 'rabbitmq-frozen: 23.0 s without service at one server, not 10'],
    ['primary-killed', { gap: 11 }, 'primary-killed: 11.0 s without service, not 10'],
  ])('fails if %s takes longer: %j', (name, changes, line) => {
    const report = reportOf(name, changes);
    expect(report.failed).toBe(true);
    expect(report.toString()).toContain(line);
    expect(report.toString()).toContain('0 passed, 1 failed');
  });

  it('only names what took longer in a short run', () => {
    const report = reportOf('rabbitmq-frozen', { gap: 12 }, false);
    expect(report.failed).toBe(false);
    expect(report.toString()).toContain('rabbitmq-frozen: 12.0 s without service, not 10');
    expect(report.toString()).toContain('1 passed, 0 failed');
  });

  it('allows more where one server is broken, or nothing can be accepted', () => {
    expect(reportOf('http-killed', { gapOfServer: 20 }).failed).toBe(false);
    expect(reportOf('standby-frozen', { gap: 35, gapOfServer: 35 }).failed).toBe(false);
    expect(Object.keys(FAULTS).filter((name) => !BOUNDS[name])).toEqual([
      'standby-frozen',
      'standby-cut-off',
    ]);
  });

  it('fails because of a violation of one fault', () => {
    expect(reportOf('worker-killed', { violations: 1 }).failed).toBe(true);
  });
});

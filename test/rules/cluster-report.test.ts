import { BROKEN } from '../resilience/cluster/bounds';
import { FAULTS } from '../resilience/cluster/faults';
import { Report } from '../resilience/cluster/report';

describe('The report of the cluster suite', () => {
  const short = { together: 1, atOne: 1 };
  const gaps = { accepted: short, claims: short, ends: short };
  const fault = { seconds: 20, calls: 100, failed: 0, violations: 0, gaps };

  function reportOf(name: string, changes: Partial<typeof gaps>, holdsBounds = true): Report {
    const report = new Report(Object.keys(FAULTS), holdsBounds);
    report.add(name, { ...fault, gaps: { ...gaps, ...changes } });
    return report;
  }

  it('passes within the bound of docs/cluster.md', () => {
    const longest = { together: 10, atOne: 10 };
    const report = reportOf('rabbitmq-frozen', { accepted: longest, claims: longest, ends: longest });
    expect([report.failed, report.toString()]).toEqual([
      false,
      expect.stringContaining('1 passed, 0 failed'),
    ]);
  });

  it.each([
    [
      'rabbitmq-frozen',
      { accepted: { together: 10.1, atOne: 1 } },
      '10.1 s without an accepted call, not 10',
    ],
    [
      'rabbitmq-frozen',
      { accepted: { together: 1, atOne: 23 } },
      '23.0 s without an accepted call at one server, not 10',
    ],
    ['primary-killed', { claims: { together: 11, atOne: 1 } }, '11.0 s without a claim, not 10'],
    ['http-killed', { ends: { together: 1, atOne: 20 } }, '20.0 s without an end at one server, not 10'],
    ['background-frozen', { claims: { together: 10.1, atOne: 20 } }, '10.1 s without a claim, not 10'],
  ])('fails if %s takes longer: %j', (name, changes, line) => {
    const report = reportOf(name, changes);
    expect(report.failed).toBe(true);
    expect(report.toString()).toContain(`${name}: ${line}`);
    expect(report.toString()).toContain('0 passed, 1 failed');
  });

  it('only names what took longer in a short run', () => {
    const report = reportOf('rabbitmq-frozen', { ends: { together: 12, atOne: 12 } }, false);
    expect(report.failed).toBe(false);
    expect(report.toString()).toContain('rabbitmq-frozen: 12.0 s without an end, not 10');
    expect(report.toString()).toContain('1 passed, 0 failed');
  });

  it('shows the longest times without each service', () => {
    const report = reportOf('http-killed', {
      accepted: { together: 0.2, atOne: 11.8 },
      claims: { together: 0.4, atOne: 0.6 },
      ends: { together: 0.3, atOne: 0.7 },
    });
    const row = report
      .toString()
      .split('\n')
      .find((line) => line.startsWith('http-killed'));
    expect(row?.split(/ +/).slice(6)).toEqual([
      '0.2',
      '0.2',
      '11.8',
      '0.4',
      '0.4',
      '0.6',
      '0.3',
      '0.3',
      '0.7',
    ]);
  });

  it('allows more where one server is broken, or nothing can be committed', () => {
    const long = { together: 1, atOne: 20 };
    expect(reportOf('http-killed', { accepted: long }).failed).toBe(false);
    expect(reportOf('background-killed', { claims: long, ends: long }).failed).toBe(false);
    const none = { together: 35, atOne: 35 };
    expect(reportOf('standby-frozen', { accepted: none, claims: none, ends: none }).failed).toBe(false);
    expect(Object.keys(FAULTS).filter((name) => !BROKEN[name])).toEqual([
      'standby-frozen',
      'standby-cut-off',
    ]);
  });

  it('fails because of a violation of one fault', () => {
    const report = new Report(Object.keys(FAULTS), true);
    report.add('worker-killed', { ...fault, violations: 1 });
    expect(report.failed).toBe(true);
  });
});

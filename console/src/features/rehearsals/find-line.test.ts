import { findLine } from './find-line';

const FILE = `# The front desk
agent: front-desk
rehearsals:
  - name: first
    person:
      lines:
        - { on: how many, say: Two. }
        - on: else
          say: |
            No.
            Thank you.
    checks:
      - turns: 3

  - {name: second, checks: [
      {turns: 4},
      {said: hello}]}
`;

describe('The line of a part of a file of YAML', () => {
  test.each([
    ['agent', 2],
    ['rehearsals.0', 4],
    ['rehearsals.0.person.lines.1.say', 9],
    ['rehearsals.0.checks.0.turns', 13],
    ['rehearsals.1.checks.1', 17],
    // The part around what is missing.
    ['rehearsals.0.checks.7', 12],
    ['rehearsals.5', 3],
    ['nothing', 2],
    ['', 2],
  ])('%s is found', (path, line) => expect(findLine(FILE, path)).toBe(line));

  test('is that of the list for an empty item', () => {
    expect(findLine('agent: a\nchecks:\n-\n- turns: 3\nother: 1\n', 'checks.0')).toBe(2);
  });
});

import type { Report, ScenarioReport } from './report';

const XML: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/** XML 1.0 cannot have control characters, not even escaped. */
const escaped = (text: string) =>
  text.replace(/[^\P{Cc}\t\n\r]/gu, '').replace(/[&<>"']/g, (sign) => XML[sign] ?? sign);

/** The report in the format that continuous integration systems read. */
export function toJunit({ scenarios, summary }: Report): string {
  const seconds = scenarios.reduce((total, { milliseconds }) => total + milliseconds, 0) / 1_000;
  const counts = `tests="${scenarios.length}" failures="${summary.failed}" skipped="${summary.skipped}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="parley-conformance" ${counts} time="${seconds.toFixed(3)}">`,
    ...scenarios.map(toTestCase),
    '</testsuite>',
    '',
  ].join('\n');
}

function toTestCase({ id, suite, rule, result, seen, output, milliseconds }: ScenarioReport): string {
  const head = `<testcase classname="${suite}" name="${escaped(id)}" time="${(milliseconds / 1_000).toFixed(3)}"`;
  if (result === 'passed') return `  ${head}/>`;
  if (result === 'skipped') return `  ${head}><skipped message="${escaped(seen)}"/></testcase>`;
  const text = escaped(`${rule}\nSeen: ${seen}\n${output}`);
  if (result === 'warning') return `  ${head}><system-out>${text}</system-out></testcase>`;
  return `  ${head}><failure message="${escaped(seen)}">${text}</failure></testcase>`;
}

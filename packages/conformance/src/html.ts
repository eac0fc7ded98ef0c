import type { Message } from './messages';
import type { Report, ScenarioReport } from './report';

const HTML: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => HTML[sign] ?? sign);

const STYLE = `
  body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; color: #1c2127; }
  summary { cursor: pointer; padding: 0.25rem 0; }
  .passed { color: #116633; } .failed { color: #a01515; } .warning { color: #855300; } .skipped { color: #5b6570; }
  .line { position: relative; height: 2.25rem; border-bottom: 1px solid #c5ccd3; margin: 0.75rem 0 0.5rem; }
  .line span { position: absolute; bottom: -5px; width: 9px; height: 9px; margin-left: -4px; border-radius: 50%; }
  .to-runtime { background: #0b6e99; } .from-runtime { background: #c2570c; }
  table { border-collapse: collapse; width: 100%; font-size: 13px; }
  td, th { text-align: left; padding: 0.15rem 0.75rem 0.15rem 0; vertical-align: top; }
  code { word-break: break-all; white-space: pre-wrap; }`;

/** One page: each scenario with its messages on a line of time. */
export function toHtml(report: Report): string {
  const { passed, failed, warning, skipped } = report.summary;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Parley conformance</title>
<style>${STYLE}</style>
<h1>Parley conformance</h1>
<p><code>${escaped(report.command.join(' '))}</code>, ${escaped(report.started_at)}, ${escaped(report.kit)}</p>
<p>${passed} passed, ${failed} failed, ${warning} warnings, ${skipped} skipped</p>
${report.scenarios.map(toSection).join('\n')}
</html>
`;
}

function toSection({ id, level, rule, result, seen, messages, output }: ScenarioReport): string {
  const isOpen = result === 'failed' || result === 'warning';
  return `<details${isOpen ? ' open' : ''}>
<summary><b class="${result}">${result}</b> ${escaped(id)} <small>${level}</small></summary>
<p>${escaped(rule)}</p>
${seen === '' ? '' : `<p class="${result}">${escaped(seen)}</p>`}
${toTimeLine(messages)}
<table><tr><th>ms</th><th>from</th><th>type</th><th>routing key</th><th>body</th></tr>
${messages.map(toRow).join('\n')}
</table>
${output.trim() === '' ? '' : `<p>The runtime printed:</p><pre><code>${escaped(output)}</code></pre>`}
</details>`;
}

function toTimeLine(messages: Message[]): string {
  const last = Math.max(1, ...messages.map(({ at }) => at));
  const marks = messages.map(
    ({ at, direction, type }) =>
      `<span class="${direction}" style="left:${((at / last) * 100).toFixed(2)}%" title="${escaped(type)} at ${at} ms"></span>`,
  );
  return `<div class="line">${marks.join('')}</div>`;
}

const MAX_BODY = 600;

function toRow({ at, direction, type, routingKey, body, bytes }: Message): string {
  const text = body === undefined ? `${bytes} bytes that are no JSON object` : JSON.stringify(body);
  const shown = text.length > MAX_BODY ? `${text.slice(0, MAX_BODY)}…` : text;
  const from = direction === 'from-runtime' ? 'runtime' : 'server';
  return `<tr><td>${at}</td><td>${from}</td><td>${escaped(type)}</td><td>${escaped(routingKey)}</td><td><code>${escaped(shown)}</code></td></tr>`;
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The blocks of commands of a section of a page, which a reader pastes into a terminal. */
export function readCommands(page: string, title: string): string[] {
  const [, section = ''] = readFileSync(join(__dirname, '../..', page), 'utf8').split(`\n## ${title}\n`);
  const blocks = (section.split('\n## ')[0] ?? '').matchAll(/^```bash\n(.*?)^```$/gms);
  const commands = [...blocks].map(([, block = '']) => block);
  if (commands.length === 0) throw new Error(`${page} has no section "${title}" with a block of commands`);
  return commands;
}

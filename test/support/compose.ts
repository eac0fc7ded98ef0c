import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

interface Compose {
  services: Record<string, { environment: Record<string, string> }>;
  configs: Record<string, { content: string }>;
  networks: { default: { ipam: { config: { subnet: string }[] } } };
}

/** `$$`, or `${NAME:-default}`, whose default may contain another one. */
const VARIABLE = /\$(?:\$|\{(\w+):-((?:[^{}]|\{[^}]*\})*)\})/g;

const fillText = (text: string, variables: Record<string, string>): string =>
  text.replace(VARIABLE, (_, name?: string, otherwise = '') =>
    name === undefined ? '$' : (variables[name] ?? fillText(otherwise, variables)),
  );

/** docker-compose.yml, with the variables filled in as Docker Compose does it: in its values, after it is parsed. */
export function readCompose(variables: Record<string, string> = {}): Compose {
  const text = readFileSync(join(__dirname, '../../docker-compose.yml'), 'utf8');
  return parse(text, (_, value: unknown) =>
    typeof value === 'string' ? fillText(value, variables) : value,
  ) as Compose;
}

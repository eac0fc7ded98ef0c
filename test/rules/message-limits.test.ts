import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPORT_LIMITS } from '../../src/platform/messaging/message-body';

const read = (path: string) => readFileSync(join(__dirname, '../..', path), 'utf8').replace(/\s+/g, ' ');

describe('The documented limits of messages from workers', () => {
  const { maxBytes, maxValues, maxDepth } = REPORT_LIMITS;
  const [bytes, values] = [maxBytes, maxValues].map((limit) => limit.toLocaleString('en'));

  test.each([
    ['docs/runtime-contract.md', `${bytes} bytes, ${values} JSON values and ${maxDepth} levels`],
    ['docs/asyncapi.yaml', `${bytes} bytes, ${values} JSON values of any kind and ${maxDepth} levels`],
    ['SECURITY.md', `${bytes} bytes, ${values} values and ${maxDepth} levels`],
  ])('are in %s as the server enforces them', (path, sentence) => {
    expect(read(path)).toContain(sentence);
  });
});

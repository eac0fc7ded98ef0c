import { dump } from 'js-yaml';
import type { StreamedAnswer } from '../../platform/http/streamed-answers';
import { YAML } from '../../platform/http/yaml-body';
import type { Rehearsal } from './rehearsal.entity';
import { presentDefinition } from './rehearsals.presenter';

/** Writes the rehearsals of an agent as the file that can be imported. */
export const writeRehearsals = (agent: string, read: () => Promise<Rehearsal[]>): StreamedAnswer => ({
  kind: 'export',
  headers: {
    'Content-Type': `${YAML}; charset=utf-8`,
    'Content-Disposition': 'attachment; filename="rehearsals.yaml"',
  },
  parts: writeParts(agent, read),
});

async function* writeParts(agent: string, read: () => Promise<Rehearsal[]>): AsyncGenerator<string, void> {
  const rehearsals = await read();
  yield `${dump({ agent })}rehearsals:${rehearsals.length === 0 ? ' []' : ''}\n`;
  for (const rehearsal of rehearsals)
    yield dump([presentDefinition(rehearsal)], { lineWidth: 120, noRefs: true, seqNoIndent: true });
}

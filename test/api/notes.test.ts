import { outcome, refused } from '../support/answers';
import type { ApiClient } from '../support/client';
import { type TestWorkspace, useParley } from '../support/parley';

let last = 7_320_000;
const nextNumber = () => `+1555${(last += 1)}`;

interface Note {
  text: string;
  updated_by: { name: string } | null;
  updated_at: string | null;
}

describe('A note on a person', () => {
  const parley = useParley();
  let owner: TestWorkspace;
  let number: string;

  beforeEach(async () => {
    owner = await parley.workspace();
    number = nextNumber();
  });

  const write = (text: string, updated_at: string | null, api: ApiClient = owner.api) =>
    api.put('/api/notes', { phone_number: number, text, updated_at });
  async function read(api: ApiClient = owner.api): Promise<Note> {
    const { status, body } = await api.get(`/api/notes?phone_number=${encodeURIComponent(number)}`);
    expect(status).toBe(200);
    return body.data as Note;
  }
  const readAudit = async () => (await owner.api.get('/api/audit?action=note.changed')).body.data as object[];
  const changed = () =>
    refused(409, 'The note has changed', {
      error_code: 'NOTE_CHANGED',
      details: expect.stringContaining('updated_at') as string,
    });

  test('is written, replaced and removed, each time by somebody who has read it', async () => {
    const none = { phone_number: number, text: '', updated_by: null, updated_at: null };
    expect(await read()).toEqual(none);

    const { body: first } = await write(' Speaks Spanish. ', null);
    expect(first.data).toEqual({
      phone_number: number,
      text: 'Speaks Spanish.',
      updated_by: expect.objectContaining({ kind: 'key' }) as object,
      updated_at: expect.any(String) as string,
    });
    expect(await read()).toEqual(first.data);

    const { body: second } = await write('Call in the afternoon.', (first.data as Note).updated_at);
    expect((await write('', (second.data as Note).updated_at)).body.data).toEqual(none);
    expect(await read()).toEqual(none);
  });

  test('never loses the text of another user who writes at the same time', async () => {
    const added = await Promise.all(['a', 'b', 'c'].map((text) => write(text, null)));
    expect(added.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const { updated_at } = await read();

    const replaced = await Promise.all(['d', 'e', ''].map((text) => write(text, updated_at)));
    expect(replaced.map(({ status }) => status).sort()).toEqual([200, 409, 409]);

    const before = await read();
    expect(await outcome(write('late', updated_at))).toEqual(changed());
    expect(await read()).toEqual(before);
  });

  test('is not brought back by a text that replaces a removed note', async () => {
    const { updated_at } = (await write('first', null)).body.data as Note;
    await write('', updated_at);
    await write('second', null);

    expect(await outcome(write('third', updated_at))).toEqual(changed());
    expect(await read()).toMatchObject({ text: 'second' });
  });

  test('is in the audit once for each change, without its text and number', async () => {
    const { updated_at } = (await write('Adaqlovelacez prefers mornings', null)).body.data as Note;
    // The same request again is no change.
    expect((await write('Adaqlovelacez prefers mornings', null)).body.data).toMatchObject({ updated_at });
    await write('x', null);

    const entries = await readAudit();
    expect(entries).toMatchObject([{ target: { kind: 'note', id: null } }]);
    expect(JSON.stringify(entries)).not.toMatch(new RegExp(`Adaq|${number.slice(1)}`));
  });

  test('is read by a credential that only reads, and written by one that operates', async () => {
    const [reader, operator] = [parley.scoped(owner, 'read'), parley.scoped(owner, 'operate')];
    expect((await write('x', null, reader)).status).toBe(403);
    expect((await write('x', null, operator)).status).toBe(200);
    expect(await read(reader)).toMatchObject({ text: 'x' });
    const agent = parley.scoped(owner, 'agent:00000000-0000-4000-8000-000000000000');
    expect((await write('y', null, agent)).status).toBe(403);
  });

  test('belongs to its workspace', async () => {
    await write('x', null);
    const other = await parley.workspace();
    expect(await read(other.api)).toMatchObject({ text: '', updated_at: null });
    expect((await write('y', null, other.api)).status).toBe(200);
    expect(await read()).toMatchObject({ text: 'x' });
  });

  test('has at most 2,000 characters, and a workspace a limited number of notes', async () => {
    expect((await write('x'.repeat(2_001), null)).body).toMatchObject({
      error_code: 'VALIDATION_FAILED',
      errors: [{ field: 'body.text' }],
    });
    await parley.sql(
      `INSERT INTO notes (workspace_id, phone_number, text, updated_by, updated_at)
       SELECT $1, '+1666' || n, 'x', '{"kind":"key","id":"","name":""}', now() FROM generate_series(1, 100000) AS n`,
      [owner.workspaceId],
    );
    expect((await write('x'.repeat(2_000), null)).body).toMatchObject({ error_code: 'NOTES_LIMIT_REACHED' });
  });
});

import { csv, postForm } from '../support/campaigns';
import { useOwnParley } from '../support/parley';

const NUMBER = '+15552000101';
const OTHER = '+15552000102';

describe('The do-not-call list', () => {
  const parley = useOwnParley({ ROLES: 'http' });

  test('takes the same numbers again, and no others, while the list is full', async () => {
    const owner = await parley.workspace();
    const add = (fields: object) => owner.api.post('/api/do-not-call', fields);
    const entry = { phone_number: NUMBER, reason: 'asked' };
    const first = await add(entry);
    await parley.sql(
      `INSERT INTO do_not_call (workspace_id, phone_number, source, created_by)
       SELECT $1, '+1777' || number, 'import', '{}' FROM generate_series(1000001, 1999999) AS number`,
      [owner.workspaceId],
    );

    const again = await add(entry);

    expect([again.status, again.body]).toEqual([201, first.body]);
    expect((await add({ phone_number: OTHER })).body.error_code).toBe('DO_NOT_CALL_ENTRIES_LIMIT_REACHED');
    const importFile = (number: string) =>
      postForm(owner.api, [['file', csv(`phone_number\n${number}\n`)]], '/api/do-not-call/import');
    expect((await importFile(NUMBER)).body.data).toMatchObject({ added: 0, already_listed: 1 });
    expect((await importFile(OTHER)).body.error_code).toBe('DO_NOT_CALL_ENTRIES_LIMIT_REACHED');
  });
});

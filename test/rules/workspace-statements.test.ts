import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { statementsOfProduct, type StatementOfFile } from '../../generate/statements';

const page = readFileSync(join(__dirname, '..', '..', 'docs', 'outgrowing.md'), 'utf8');
const listed =
  /```text\n([^]*?)```/.exec(page)?.[1]?.replace(/^\S+:/gm, '').split(/\s+/).filter(Boolean) ?? [];

/**
 * Whether the workspace is a parameter, or a field of the rows that are one, and is compared with a column or inserted
 * into one. A statement that only returns or joins `workspace_id` reads all nodes, and so does one that compares it only
 * in some branches of a CASE.
 */
function selectsByWorkspace({ text, parameters }: Pick<StatementOfFile, 'text' | 'parameters'>): boolean {
  const place = parameters.findIndex((name) => /^workspaceIds?$/.test(name));
  if (place < 0 && !/"workspaceId" uuid/.test(text)) return false;
  const given = place < 0 ? '(\\w+\\.)?"workspaceId"' : `\\$${place + 1}\\b`;
  const compared = `\\b(workspace_id|id) = (ANY ?\\( ?)?${given}`;
  const inserted = `INSERT INTO \\w+ (AS \\w+ )?\\([^)]*\\bworkspace_id\\b[^)]*\\) (VALUES|SELECT).*${given}`;
  return new RegExp(`${compared}|${inserted}`).test(
    text.replace(/\s+/g, ' ').replace(/\bCASE\b.*?\bEND\b/g, ''),
  );
}

describe('The page about outgrowing one Postgres', () => {
  const statements = statementsOfProduct();
  const others = statements.filter((statement) => !selectsByWorkspace(statement)).map(({ name }) => name);

  test('lists every statement that does not select by the workspace', () => {
    expect([...listed].sort()).toEqual([...new Set(others)].sort());
  });

  test('counts the statements', () => {
    const all = new Set(statements.map(({ name }) => name)).size;

    expect(page).toContain(`${all - listed.length} of the ${all} statements`);
    expect(page).toContain(`These ${listed.length} do not`);
  });

  test.each([
    ['SELECT workspace_id AS "workspaceId" FROM campaigns WHERE id = $1', ['campaignId'], false],
    ['SELECT id FROM agents JOIN workspaces w ON w.id = agents.workspace_id', [], false],
    ['SELECT id FROM campaigns WHERE id = $1 AND workspace_id = $2', ['campaignId', 'workspaceId'], true],
    ['UPDATE workspaces SET quotas_agents = $2 WHERE id = $1', ['workspaceId', 'value'], true],
    [
      'SELECT a.id FROM json_to_recordset($1) AS row ("workspaceId" uuid) JOIN a ON a.workspace_id = row."workspaceId"',
      ['rows'],
      true,
    ],
    [
      `UPDATE a FROM json_to_recordset($1) AS row ("workspaceId" uuid)
       WHERE CASE guard WHEN 'none' THEN true WHEN 'agent' THEN a.workspace_id = row."workspaceId" END`,
      ['rows'],
      false,
    ],
    ['INSERT INTO a (id, workspace_id)\nSELECT id, workspace_id FROM b WHERE id = ANY ($1)', ['ids'], false],
    ['INSERT INTO a (id, workspace_id) VALUES ($1, $2)', ['id', 'workspaceId'], true],
  ])('counts a condition on the workspace, not a column: %s', (text, parameters, expected) => {
    expect(selectsByWorkspace({ text, parameters })).toBe(expected);
  });
});

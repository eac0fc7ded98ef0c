import type { MigrationInterface, QueryRunner } from 'typeorm';
import { MIGRATIONS_OF_1_1_0 } from './baseline/migrations';
import { PROMPT_TEMPLATES } from './baseline/prompt-templates';
import { SCHEMA_OF_1_1_0 } from './baseline/schema';

const LAST_OF_1_1_0 = MIGRATIONS_OF_1_1_0.at(-1);

/** Release 1.0.0 stored the configuration of an agent with each call. Later releases moved it, and validated this key then. */
const KEY_OF_MOVED_CALLS = 'conversations_agent_id_agent_version_workspace_id_fkey';

interface Found {
  isEmpty: boolean;
  has110: boolean;
  areCallsMoved: boolean | null;
}

/** Creates the schema of release 1.1.0 in an empty database. A database of that release or a later one stays as it is. */
export class Baseline1795770000200 implements MigrationInterface {
  name = 'Baseline1795770000200';

  /** @throws Error for a database that a release before 1.1.0 has made, or whose calls have not been moved since */
  public async up(queryRunner: QueryRunner): Promise<void> {
    const [found] = (await queryRunner.query(
      `SELECT to_regclass('public.workspaces') IS NULL AS "isEmpty",
              EXISTS (SELECT FROM public.migrations WHERE name = $1) AS "has110",
              (SELECT convalidated FROM pg_constraint
               WHERE conname = $2 AND conrelid = to_regclass('public.conversations')) AS "areCallsMoved"`,
      [LAST_OF_1_1_0, KEY_OF_MOVED_CALLS],
    )) as [Found];
    if (found.isEmpty) return create(queryRunner);
    if (!found.has110) {
      throw new Error(
        'The database is of a release before 1.1.0. Upgrade to 1.2.0 first, then to this release.',
      );
    }
    if (!found.areCallsMoved) {
      throw new Error(
        'The database still has calls as release 1.0.0 stored them. Start a server of release 1.2.0, wait until it logs ' +
          '"The snapshots of agents have been moved to their versions", and upgrade then.',
      );
    }
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    const tables = (await queryRunner.query(
      `SELECT quote_ident(relname) AS name FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname NOT IN ('migrations', 'typeorm_metadata')`,
    )) as { name: string }[];
    await queryRunner.query(`DROP TABLE ${tables.map(({ name }) => name).join(', ')} CASCADE`);
    await queryRunner.query('DROP FUNCTION delete_recipients_of_campaign()');
    await queryRunner.query('DROP EXTENSION btree_gin, pg_trgm');
    await queryRunner.query('DELETE FROM public.migrations WHERE name = ANY ($1)', [MIGRATIONS_OF_1_1_0]);
  }
}

async function create(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(SCHEMA_OF_1_1_0);
  for (const { id, name, category, greeting, prompt, variables } of PROMPT_TEMPLATES) {
    await queryRunner.query(
      `INSERT INTO prompt_templates (id, name, category, greeting, prompt, dynamic_variables)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [id, name, category, greeting, prompt, variables],
    );
  }
  await queryRunner.query(
    `INSERT INTO public.migrations (timestamp, name)
     SELECT right(name, 13)::bigint, name FROM unnest($1::text[]) WITH ORDINALITY AS list (name, place) ORDER BY place`,
    [MIGRATIONS_OF_1_1_0],
  );
}

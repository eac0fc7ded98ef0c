import { createDatabase } from './database';
import { OperatorProcess } from './operator-process';

export interface Workspace {
  workspaceId: string;
  userId: string;
  apiKey: string;
}

const CREDITS = 1_000_000;

/** Creates a migrated database with this many workspaces, which every installation of a suite copies. */
export async function createTemplate(count: number): Promise<Workspace[]> {
  const database = await createDatabase({ empty: true });
  const operator = new OperatorProcess({
    DATABASE_URL: database.url,
    JWT_SECRET: 'x'.repeat(32),
  });
  const workspaces: Workspace[] = [];
  for (let number = 1; number <= count; number += 1) {
    const command = [
      'workspace',
      'create',
      '--name',
      `Workspace ${number}`,
      '--credits',
      `${CREDITS}`,
      '--json',
    ];
    const { code, stdout, stderr } = await operator.run(command);
    if (code !== 0) throw new Error(`A workspace could not be created: ${stderr}`);
    workspaces.push(JSON.parse(stdout) as Workspace);
  }
  await operator.finish();
  process.env.TEST_TEMPLATE = new URL(database.url).pathname.slice(1);
  return workspaces;
}

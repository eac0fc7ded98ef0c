import { createDatabase } from '../support/database';
import { OperatorProcess } from '../support/operator-process';

export interface Workspace {
  workspaceId: string;
  apiKey: string;
}

const WORKSPACES = 4;
const CREDITS = 1_000_000;

/** A migrated database with workspaces, which every installation begins with a copy of. */
export async function createTemplate(): Promise<Workspace[]> {
  const database = await createDatabase({ empty: true });
  const operator = new OperatorProcess({
    DATABASE_URL: database.url,
    JWT_SECRET: 'x'.repeat(32),
  });
  const workspaces: Workspace[] = [];
  for (let number = 1; number <= WORKSPACES; number += 1) {
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
    if (code !== 0) throw new Error(`A workspace could not be made: ${stderr}`);
    workspaces.push(JSON.parse(stdout) as Workspace);
  }
  await operator.finish();
  process.env.TEST_TEMPLATE = new URL(database.url).pathname.slice(1);
  return workspaces;
}

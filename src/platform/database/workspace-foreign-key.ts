import type { JoinColumnOptions } from 'typeorm';

/** The columns of a reference to a row that must belong to the same workspace. */
export const workspaceForeignKey = (column: string): JoinColumnOptions[] => [
  { name: column, referencedColumnName: 'id' },
  { name: 'workspace_id', referencedColumnName: 'workspaceId' },
];

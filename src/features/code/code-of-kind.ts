import type { ChangeDetails } from '../../platform/http/change-record';
import type { Transaction } from '../../platform/database/database';
import type { ToolValues } from '../tools/tools.service';
import type { LocatedResource } from './code.repository';
import type { Definition } from './definition';

/** Knowledge bases by the names that definitions have. */
export type KnowledgeByName = ReadonlyMap<string, { id: string; name: string }>;

/** The request whose definitions are applied. */
export interface Applying {
  workspaceId: string;
  userId: string;
  transaction: Transaction;
  knowledge: KnowledgeByName;
  /** The ids of the agents by their slugs, with those that the transaction has created, without those it has deleted. */
  agentIds: Map<string, string>;
  /** The values of the tools of servers that change, by their names. */
  discovered: ReadonlyMap<string, ToolValues>;
}

/** A resource that the transaction has created, changed or deleted. */
export interface ChangedResource {
  id: string;
  name: string;
  details?: ChangeDetails;
}

/** A kind of resources. @typeParam Given a definition that is valid by itself */
export interface CodeOfKind<Given, Content> {
  /** @throws 400 on paths of the definition as `body` */
  read(slug: string, definition: Definition): Promise<Given>;

  /** The definition of a stored resource. */
  describe(content: Content): Definition;

  /** The definition that a resource has once it is as given. @throws 400 */
  describeGiven(given: Given, knowledge: KnowledgeByName): Definition;

  /** @throws 400, 403 */
  create(slug: string, given: Given, applying: Applying): Promise<ChangedResource>;

  /** @throws 400 */
  change(located: LocatedResource, given: Given, applying: Applying): Promise<ChangedResource>;

  delete(located: LocatedResource, applying: Applying): Promise<ChangedResource>;
}

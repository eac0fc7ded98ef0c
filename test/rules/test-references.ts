/** A test of test/api, test/contract or test/slow: its file, and its title after the titles of its groups. */
export type TestReference = [file: string, title: string];

/** Returns a function that refers to a test of a group by its title. */
export const group =
  (file: string, ...groups: string[]) =>
  (title: string): TestReference => [file, [...groups, title].join(' › ')];

export const creating = group('agents-create', 'Creating an agent');
export const listing = group('agents-list', 'Listing agents');
export const read = group('agents-update', 'An agent', 'read');
export const updated = group('agents-update', 'An agent', 'updated');
export const deleting = group('agents-delete', 'Deleting an agent');
export const assigned = group('phone-numbers', 'Phone numbers', 'assigned to agents');
export const numbers = group('phone-numbers', 'Phone numbers', 'listed');
export const calling = group('start-call-validation', 'A request to start a call');
export const conversations = group('conversations', 'The conversations of an agent', 'in a list');
export const conversation = group('conversations', 'The conversations of an agent', 'in detail');
export const assigning = group('knowledge-base-assignment', 'Assigning a knowledge base');
export const knowledge = group('knowledge-base-create', 'Creating a knowledge base');
export const ofLink = group('knowledge-base-create', 'Creating a knowledge base', 'of a link');
export const ofFile = group('knowledge-base-create', 'Creating a knowledge base', 'of a file');
export const knowledgeList = group('knowledge-base-list', 'Knowledge bases', 'as a list');
export const deletedKnowledge = group('knowledge-base-list', 'Knowledge bases', 'that are deleted');
export const statistics = group('call-statistics', 'Call statistics');
export const campaigns = group('campaigns-list', 'Reading campaigns');
export const campaign = group('campaigns-create', 'Creating a campaign');
export const authorization = group('authorization', 'Every route');
export const foreignWorkspace = group(
  'authorization',
  'A credential',
  'that comes with the workspaceId of another workspace is refused',
);

export const unauthorized = authorization('refuses %s');
export const failedList = group(
  'conversations',
  'The conversations of an agent',
)('answer 500 when the server fails');

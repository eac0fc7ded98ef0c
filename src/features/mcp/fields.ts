import { z } from 'zod';
import { MAX_CUSTOMER_NAME_LENGTH, MAX_VARIABLE_LENGTH, MAX_VARIABLES } from '../calls/model/call-request';
import { MAX_VARIABLE_NAME_LENGTH } from '../agents/agent-texts';

/** The longest page of a list, which must fit into the context of a model. */
const MAX_PAGE = 50;

const id = (what: string) => z.string().max(100).describe(what);

export const agentId = id('The id of an agent, from list_agents.');
export const callId = id('The id of a call, from find_calls or start_call.');
export const campaignId = id('The id of a campaign, from list_campaigns.');
export const knowledgeBaseId = id('The id of a knowledge base, from get_agent.');

export const phoneNumber = z.string().max(16).describe('A phone number in E.164 form, such as +15551234567.');

const limitWithDefault = (count: number) =>
  z.number().int().min(1).max(MAX_PAGE).optional().describe(`Default: ${count}.`);

export const limit = limitWithDefault(10);
export const passageLimit = limitWithDefault(5);

export const from = z
  .string()
  .max(40)
  .optional()
  .describe('Calls created at this time or later: an ISO 8601 date or time, such as 2026-03-02.');

export const to = z
  .string()
  .max(40)
  .optional()
  .describe('Calls created at this time or earlier; a date includes its whole day.');

export const variables = z
  .record(z.string().max(MAX_VARIABLE_NAME_LENGTH), z.string().max(MAX_VARIABLE_LENGTH))
  .refine((values) => Object.keys(values).length <= MAX_VARIABLES, {
    message: `must not have more than ${MAX_VARIABLES} variables`,
  })
  .optional()
  .describe('Values for the variables in the prompt and the greeting of the agent, by name.');

export const customerName = z
  .string()
  .max(MAX_CUSTOMER_NAME_LENGTH)
  .optional()
  .describe('The name of the person who is called.');

export const idempotencyKey = z
  .string()
  // As in the header of a request.
  .trim()
  .regex(/^[\x20-\x7e]{1,255}$/, 'must have 1 to 255 printable ASCII characters')
  .optional()
  .describe('Any text of your own. A repeated call with the same key and arguments starts no second call.');

/** The times of results are texts. */
export const time = z.string().nullable();

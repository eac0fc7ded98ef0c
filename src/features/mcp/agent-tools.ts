import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { ScanPermits } from '../../platform/http/may-scan';
import { ListAgentsQuery } from '../agents/agents.dto';
import { AgentsService } from '../agents/agents.service';
import { SearchQuery } from '../knowledge-base/knowledge-base-search.dto';
import { KnowledgeBaseSearch } from '../knowledge-base/knowledge-base-search';
import { assertAgentInScope } from './agent-in-scope';
import { agentId, knowledgeBaseId, limit, passageLimit } from './fields';
import { toQuery } from '../../platform/http/to-dto';
import { defineTool, type Tool, type ToolSet } from './tool';

const search = z.string().min(1).max(200).optional().describe('A part of the name.');

/** Tools that read agents and what they know. */
@Injectable()
export class AgentTools implements ToolSet {
  readonly tools: Tool[] = [
    defineTool({
      name: 'list_agents',
      title: 'List agents',
      description:
        'Lists the agents, newest first: their ids, names, types and phone numbers, and whether they are on.',
      input: z.strictObject({ search, limit }),
      output: z.object({
        agents: z.array(
          z.looseObject({
            agent_id: z.string(),
            name: z.string(),
            type: z.string(),
            phone_number: z.string(),
            is_on: z.boolean(),
          }),
        ),
        total: z.number(),
      }),
      reach: 'workspace',
      run: async (args, { caller, response }) => {
        const query = await toQuery(ListAgentsQuery, args);
        const read = () => this.agents.list(caller.workspaceId, query);
        const { data, pagination } = await (args.search === undefined
          ? read()
          : this.scans.scan(caller.workspaceId, response, read));
        const agents = data.map(({ id, name, type, phoneNumber, status }) => ({
          agent_id: id,
          name,
          type,
          phone_number: phoneNumber,
          is_on: status,
        }));
        return { structured: { agents, total: pagination.total } };
      },
    }),
    defineTool({
      name: 'get_agent',
      title: 'Get an agent',
      description:
        'Returns the whole configuration of an agent: prompt, greeting, variables, voice, limits, and the ids of its ' +
        'knowledge bases.',
      input: z.strictObject({ agent_id: agentId }),
      output: z.object({
        agent: z.looseObject({
          _id: z.string(),
          name: z.string(),
          type: z.string(),
          status: z.boolean(),
          knowledgeBases: z.array(z.string()),
        }),
      }),
      reach: 'agents',
      run: async ({ agent_id }, { caller }) => {
        assertAgentInScope(caller, agent_id);
        const [agent] = await this.agents.get(caller.workspaceId, agent_id);
        return { structured: { agent: JSON.parse(JSON.stringify(agent)) as never } };
      },
    }),
    defineTool({
      name: 'search_knowledge',
      title: 'Search a knowledge base',
      description: 'Finds the passages of a knowledge base that match a question or words best.',
      input: z.strictObject({
        kb_id: knowledgeBaseId,
        query: z.string().min(1).max(500).describe('A question, or words of the passages.'),
        limit: passageLimit,
      }),
      output: z.object({
        passages: z.array(
          z.object({
            text: z.string(),
            score: z.number(),
            source_name: z.string(),
            source_url: z.string(),
            page: z.number().nullable(),
          }),
        ),
      }),
      reach: 'agents',
      run: async ({ kb_id, ...args }, { caller }) => {
        const found = await this.passages.search(caller, kb_id, await toQuery(SearchQuery, args));
        const passages = found.map(({ text, score, source_name, source_url, page }) => ({
          text,
          score,
          source_name,
          source_url,
          page,
        }));
        return { structured: { passages } };
      },
    }),
  ];

  constructor(
    private readonly agents: AgentsService,
    private readonly passages: KnowledgeBaseSearch,
    private readonly scans: ScanPermits,
  ) {}
}

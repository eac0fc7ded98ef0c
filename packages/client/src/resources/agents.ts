import { ArgumentError } from '../argument-error';
import { List } from '../list';
import { checkPath } from '../path';
import { ParleyError } from '../errors';
import type { Requests } from '../requests';
import type { KeyedRequestOptions, ListFilter, RequestOptions, Schemas } from '../types';
import { unwrap } from '../unwrap';
import { DEPLOYMENT, waitForEnd, type WaitOptions } from '../wait-for-end';

export class Agents {
  constructor(private readonly requests: Requests) {}

  list(filter: ListFilter<'listAgents'> = {}, options?: RequestOptions): List<Schemas['AgentSummaryDto']> {
    return new List(
      (page, limit) =>
        this.requests.safe(
          (api, init) => api.GET('/api/agents', { params: { query: { ...filter, page, limit } }, ...init }),
          options,
        ),
      ({ id }) => id,
      filter.limit,
    );
  }

  async get(agentId: string, options?: RequestOptions): Promise<Schemas['AgentDto']> {
    const path = checkPath({ agent_id: agentId });
    const { data } = await this.requests.safe(
      (api, init) => api.GET('/api/agents/{agent_id}', { params: { path }, ...init }),
      options,
    );
    const [agent] = data;
    if (agent) return agent;
    throw new ParleyError({ status: 200, code: 'INVALID_RESPONSE', message: 'The answer has no agent' });
  }

  async create(
    fields: Schemas['CreateAgentDto'],
    options?: KeyedRequestOptions,
  ): Promise<Schemas['CreatedAgentDto']> {
    const { body } = await this.requests.keyed(
      (api, init) => api.POST('/api/agents', { body: fields, ...init }),
      options,
    );
    return body.data;
  }

  /** Changes the given fields. The API demands `type` among them. */
  update(
    agentId: string,
    fields: Schemas['UpdateAgentDto'],
    options?: RequestOptions,
  ): Promise<Schemas['UpdatedAgentDto']> {
    const path = checkPath({ agent_id: agentId });
    return unwrap(
      this.requests.safe(
        (api, init) => api.PUT('/api/agents/{agent_id}', { params: { path }, body: fields, ...init }),
        options,
      ),
    );
  }

  async delete(agentId: string, options?: RequestOptions): Promise<void> {
    const path = checkPath({ agent_id: agentId });
    await this.requests.deletion(
      (api, init) => api.DELETE('/api/agents/{agent_id}', { params: { path }, ...init }),
      options,
    );
  }

  /** The versions of an agent, the newest first. */
  versions(
    agentId: string,
    filter: ListFilter<'listAgentVersions'> = {},
    options?: RequestOptions,
  ): List<Schemas['AgentVersionDto']> {
    const path = checkPath({ agent_id: agentId });
    return new List(
      (page, limit) =>
        this.requests.safe(
          (api, init) =>
            api.GET('/api/agents/{agent_id}/versions', {
              params: { path, query: { ...filter, page, limit } },
              ...init,
            }),
          options,
        ),
      ({ version }) => version,
      filter.limit,
    );
  }

  /** Makes a new version, which is a copy of an old one. */
  async restore(
    agentId: string,
    version: number,
    options?: KeyedRequestOptions,
  ): Promise<Schemas['RestoredVersionDto']> {
    if (!Number.isInteger(version)) throw new ArgumentError(`version must be an integer, not ${version}`);
    const path = checkPath({ agent_id: agentId, version: String(version) });
    const { body } = await this.requests.keyed(
      (api, init) =>
        api.POST('/api/agents/{agent_id}/versions/{version}/restore', { params: { path }, ...init }),
      options,
    );
    return body.data;
  }

  /** The version of an agent that calls use, and what becomes of the newest one. */
  deployment(agentId: string, options?: RequestOptions): Promise<Schemas['AgentDeploymentDto']> {
    const path = checkPath({ agent_id: agentId });
    return unwrap(
      this.requests.safe(
        (api, init) => api.GET('/api/agents/{agent_id}/deployment', { params: { path }, ...init }),
        options,
      ),
    );
  }

  /** Sets how new versions of an agent get to calls. */
  setPublishing(
    agentId: string,
    fields: Schemas['ChangeDeploymentDto'],
    options?: RequestOptions,
  ): Promise<Schemas['AgentDeploymentDto']> {
    const path = checkPath({ agent_id: agentId });
    return unwrap(
      this.requests.safe(
        (api, init) =>
          api.PATCH('/api/agents/{agent_id}/deployment', { params: { path }, body: fields, ...init }),
        options,
      ),
    );
  }

  /** Has the newest version rehearsed and published, or publishes it at once. What is under way goes on. */
  publish(
    agentId: string,
    fields: Schemas['PublishDto'] = {},
    options?: RequestOptions,
  ): Promise<Schemas['AgentDeploymentDto']> {
    const path = checkPath({ agent_id: agentId });
    return unwrap(
      this.requests.safe(
        (api, init) =>
          api.POST('/api/agents/{agent_id}/deployment/publish', { params: { path }, body: fields, ...init }),
        options,
      ),
    );
  }

  /** Waits until the rehearsals of the newest version have decided on it. */
  waitForDeployment(agentId: string, options: WaitOptions = {}): Promise<Schemas['AgentDeploymentDto']> {
    return waitForEnd(DEPLOYMENT, (request) => this.deployment(agentId, request), options);
  }

  /** Makes a new version, which is a copy of the one that calls used before, and lets calls use it. */
  async rollBack(agentId: string, options?: KeyedRequestOptions): Promise<Schemas['RestoredVersionDto']> {
    const path = checkPath({ agent_id: agentId });
    const { body } = await this.requests.keyed(
      (api, init) => api.POST('/api/agents/{agent_id}/deployment/rollback', { params: { path }, ...init }),
      options,
    );
    return body.data;
  }
}

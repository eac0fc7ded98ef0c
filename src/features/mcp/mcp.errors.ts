import { ApiError } from '../../platform/http/errors';
import { cutText } from '../../platform/validation/plain-text';

export const foreignHost = (host: string) =>
  new ApiError('CROSS_SITE_REQUEST', 'The request is for another host', {
    details:
      `The header Host names ${cutText(host, 100)}. /mcp takes requests to the host of PUBLIC_URL and to localhost: set ` +
      'PUBLIC_URL to the address by which assistants reach this server.',
  });

export const foreignOrigin = () =>
  new ApiError('CROSS_SITE_REQUEST', 'The request did not come from a page of this server', {
    details:
      'The header Origin names another site. /mcp takes requests of programs, and of pages of this server.',
  });

export const limitedToAgents = (tool: string, agentIds: string[]) =>
  new ApiError('OUT_OF_SCOPE', 'The scope of the credential does not include this tool', {
    details: `${tool} is about the whole workspace, and the credential is limited to these agents: ${agentIds.join(', ')}.`,
  });

export const agentOutOfScope = () =>
  new ApiError('OUT_OF_SCOPE', 'The scope of the credential does not include this agent', {
    details: 'The credential is limited to other agents.',
  });

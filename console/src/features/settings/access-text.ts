import { isAgentScope } from '../../session/scopes';
import { texts } from '../../texts';

const { access } = texts.settings;

/** The rights of a credential with these scopes, in words. null: everything in its workspace. */
export function accessText(scopes: string[] | null): string {
  if (scopes === null) return access.whole;
  const agents = scopes.filter(isAgentScope).length;
  const words = [
    agents === 0 ? access.whole : access.agents(agents),
    scopes.includes('read') && access.read,
    scopes.includes('operate') && !scopes.includes('read') && access.operate,
    scopes.includes('mcp:act') && !scopes.includes('read') && access.act,
  ];
  return words.filter(Boolean).join(', ');
}

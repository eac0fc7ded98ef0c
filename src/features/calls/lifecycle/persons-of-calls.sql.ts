import { personNumber } from '../model/call-parties.sql';

/** SQL: the name and the number of the person of each of these calls of $workspaceId. @param calls SQL: an array of ids */
export const personsOfCalls = (calls: string) => `
  (SELECT call.id AS call_id, COALESCE(call.request->>'customer_name', '') AS customer_name,
          ${personNumber('call')} AS customer_number
   FROM conversations AS call WHERE call.workspace_id = $workspaceId AND call.id = ANY (${calls}))`;

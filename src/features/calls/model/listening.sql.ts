import { inStatus, STATUS } from './call-states';

/** SQL: whether users can listen to a call now. @param call the name of a row of `conversations` */
export const isAudible = (call: string) =>
  `(${call}.${inStatus(STATUS.connected)} AND COALESCE(${call}.listen_expires_at > now(), false))`;

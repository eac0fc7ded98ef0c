export interface Mutation {
  /** The fault that shows it, and as what. */
  fault: string;
  violation: string;
  changes: { statement: RegExp; from: string; to: string }[];
}

/** Servers that break a promise: a suite that finds nothing wrong with one of them is worth nothing. */
export const MUTATIONS: Record<string, Mutation> = {
  'claim-always-granted': {
    fault: 'messages-doubled',
    violation: 'A number was dialled twice',
    changes: [
      {
        statement: /^claim-call$/,
        from: `(status = 'queued' AND expires_at > now()) OR (status = 'accepted' AND claim_id = $2)`,
        to: `status IN ('queued', 'accepted')`,
      },
    ],
  },
  'cancel-unfenced': {
    fault: 'confirms-lost',
    violation: 'A call was dialled that says it never was',
    changes: [
      {
        statement: /^cancel-undispatched-call$/,
        from: `AND status = 'queued'`,
        to: `AND status IN ('queued', 'accepted', 'connected')`,
      },
    ],
  },
  'hold-released-twice': {
    fault: 'server-killed',
    violation: "A balance is not its ledger's sum",
    changes: [
      {
        statement: /^(end|fail)-call$/,
        from: 'credits + ended.hold',
        to: 'credits + 2 * ended.hold',
      },
    ],
  },
};

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
        statement: /^cancel-unconfirmed-call$/,
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
  'charged-too-much': {
    fault: 'server-killed',
    violation: 'A call is not settled once and rightly',
    changes: [{ statement: /^end-call$/, from: 'charge = GREATEST(1,', to: 'charge = GREATEST(8,' }],
  },
  'claim-granted-but-once': {
    fault: 'rabbitmq-killed',
    violation: 'A call was accepted, and never dialled',
    // Who asks again, since the answer was lost, is refused.
    changes: [{ statement: /^claim-call$/, from: ` OR (status = 'accepted' AND claim_id = $2)`, to: '' }],
  },
  'claims-forgotten': {
    fault: 'server-killed',
    violation: 'A call was accepted, and never dialled',
    // Of three claims that are granted, one is answered as if it were refused.
    changes: [
      {
        statement: /^claim-call$/,
        from: 'UPDATE conversations',
        to: 'WITH claimed AS (UPDATE conversations',
      },
      {
        statement: /^claim-call$/,
        from: 'RETURNING token',
        to: 'RETURNING id, token) SELECT token FROM claimed WHERE ascii(right(id::text, 1)) % 3 <> 0',
      },
    ],
  },
  'webhooks-dropped': {
    fault: 'server-killed',
    violation: 'An end was not told',
    changes: [
      {
        statement: /^(end|fail)-call$/,
        from: 'ORDER BY ordinal',
        to: `WHERE ascii(right(conversation_id::text, 1)) % 3 <> 0 ORDER BY ordinal`,
      },
    ],
  },
  'recipients-called-twice': {
    fault: 'server-killed',
    violation: 'A number was dialled twice',
    // Only who was called before is marked as called.
    changes: [
      {
        statement: /^mark-recipients-called$/,
        from: 'SET conversation_id = called.conversation_id',
        to: `SET conversation_id = CASE WHEN EXISTS (
               SELECT FROM conversations AS other WHERE campaign_id = $3 AND to_number = called.phone_number
                 AND other.id <> called.conversation_id) THEN called.conversation_id END`,
      },
    ],
  },
  'recipients-forgotten': {
    fault: 'server-killed',
    violation: 'A campaign has not called each recipient',
    changes: [
      {
        statement: /^(next-campaign-recipients|find-startable-campaigns|complete-ended-campaigns)$/,
        from: 'conversation_id IS NULL',
        to: 'conversation_id IS NULL AND row_number % 5 <> 0',
      },
    ],
  },
  'keys-forgotten': {
    fault: 'server-killed',
    violation: 'One request was answered with two calls',
    // A key is free again as soon as its attempt is over.
    changes: [
      {
        statement: /^claim-idempotency-key$/,
        from: 'held.answer IS NULL AND held.locked_until <= now()',
        to: 'COALESCE(held.locked_until, now()) <= now()',
      },
    ],
  },
};

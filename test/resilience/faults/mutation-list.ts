export interface Mutation {
  /** The fault that reveals the mutation. */
  fault: string;
  /** The beginning of the violation that must be reported. */
  violation: string;
  changes: { statement: RegExp; from: string; to: string }[];
}

/** Servers that break a promise on purpose. They show that the suite detects what it checks. */
export const MUTATIONS: Record<string, Mutation> = {
  'claim-always-granted': {
    fault: 'messages-duplicated',
    violation: 'A number was dialled twice',
    changes: [
      {
        statement: /^claim-calls$/,
        from: `status = 'accepted' AND claim_id = call."claimId" THEN NULL`,
        to: `status = 'accepted' THEN NULL`,
      },
    ],
  },
  'cancel-unfenced': {
    fault: 'confirms-dropped',
    violation: 'A dialled call is recorded as not dispatched',
    changes: [
      {
        statement: /^settle-(unlocked-)?calls$/,
        from: `AND status = ANY (call."from")`,
        to: `AND (status = ANY (call."from") OR reason = 'dispatch_failed' AND status IN ('accepted', 'connected'))`,
      },
    ],
  },
  'hold-released-twice': {
    fault: 'server-killed',
    violation: 'A balance differs from the sum of its ledger',
    changes: [
      {
        statement: /^settle-(unlocked-)?calls$/,
        from: 'sum(hold - charge)',
        to: 'sum(2 * hold - charge)',
      },
    ],
  },
  'charged-too-much': {
    fault: 'server-killed',
    violation: 'A call was not settled once with the correct amounts',
    changes: [{ statement: /^settle-(unlocked-)?calls$/, from: 'GREATEST(1, CEIL', to: 'GREATEST(8, CEIL' }],
  },
  'repeated-claim-refused': {
    fault: 'rabbitmq-killed',
    violation: 'An accepted call was never dialled',
    // A runtime that repeats its claim because the answer was lost is refused.
    changes: [
      {
        statement: /^claim-calls$/,
        from: `WHEN status = 'accepted' AND claim_id = call."claimId" THEN NULL`,
        to: '',
      },
    ],
  },
  'granted-claims-refused': {
    fault: 'server-killed',
    violation: 'An accepted call was never dialled',
    // One of three granted claims is answered as refused.
    changes: [
      {
        statement: /^claim-calls$/,
        from: 'LEFT JOIN granted USING (id)',
        to: 'LEFT JOIN granted ON granted.id = decided.id AND ascii(right(decided.id::text, 1)) % 3 <> 0',
      },
    ],
  },
  'incoming-claims-forgotten': {
    fault: 'server-killed',
    violation: 'One incoming call was answered with two calls',
    changes: [
      {
        statement: /^accept-(unlocked-)?incoming-calls$/,
        from: `"claimId", token, "workerId"`,
        to: 'gen_random_uuid(), token, "workerId"',
      },
    ],
  },
  'webhooks-dropped': {
    fault: 'server-killed',
    violation: 'The end of a call was not delivered',
    changes: [
      {
        statement: /^settle-(unlocked-)?calls$/,
        from: 'ORDER BY ordinal',
        to: `WHERE ascii(right(conversation_id::text, 1)) % 3 <> 0 ORDER BY ordinal`,
      },
    ],
  },
  'recipients-called-twice': {
    fault: 'server-killed',
    violation: 'A number was dialled twice',
    // Only a recipient that was called before is marked as called.
    changes: [
      {
        statement: /^mark-recipients-called$/,
        from: `'calling' AS status`,
        to: `CASE WHEN EXISTS (
               SELECT FROM conversations AS other
               WHERE other.campaign_id = campaign_recipients.campaign_id
                 AND other.to_number = campaign_recipients.phone_number AND other.id <> called.conversation_id)
             THEN 'calling' ELSE campaign_recipients.status END AS status`,
      },
    ],
  },
  'do-not-call-list-ignored': {
    fault: 'server-killed',
    violation: 'A recipient was dialled who was listed',
    changes: [
      {
        statement: /^(claim-calls|next-campaign-recipients|accept-(unlocked-)?calls)$/,
        from: 'do_not_call.expires_at IS NULL OR',
        to: 'false AND',
      },
    ],
  },
  'listed-numbers-claimed': {
    fault: 'server-killed',
    violation: 'A recipient was dialled who was listed',
    // Only calls that were accepted before their number was listed are dialled.
    changes: [{ statement: /^claim-calls$/, from: 'do_not_call.expires_at IS NULL OR', to: 'false AND' }],
  },
  'queued-calls-not-taken-back': {
    fault: 'runtime-blocked',
    violation: 'A recipient was dialled who was ',
    changes: [
      { statement: /^lock-unclaimed-calls$/, from: 'ORDER BY id', to: 'AND false ORDER BY id' },
      { statement: /^claim-calls$/, from: `IN ('paused', 'cancelled')`, to: `IN ('none')` },
    ],
  },
  'campaigns-not-locked': {
    fault: 'server-killed',
    violation: 'A recipient was dialled who was ',
    // Calls are accepted and retries are decided while a pause or new windows are stored.
    changes: [
      { statement: /^lock-campaign$/, from: 'FOR UPDATE SKIP LOCKED', to: '' },
      { statement: /^claim-calls$/, from: `IN ('paused', 'cancelled')`, to: `IN ('none')` },
    ],
  },
  'lost-calls-retried': {
    fault: 'runtime-killed',
    violation: 'A recipient was called again after an end that allows no retry',
    changes: [
      {
        statement: /^settle-recipients$/,
        from: `= 'worker_lost' THEN 'lost'`,
        to: `= 'worker_lost' THEN 'pending'`,
      },
    ],
  },
  'retries-not-counted': {
    fault: 'server-killed',
    violation: 'A recipient was called too often',
    changes: [
      {
        statement: /^settle-recipients$/,
        from: `<= (campaigns.retry->>'max')::int`,
        to: `<= (campaigns.retry->>'max')::int + 1`,
      },
    ],
  },
  'calls-not-counted': {
    // Calls go on for as long as there is no runtime.
    fault: 'calls-unclaimed',
    violation: 'The counts of a campaign do not add up',
    changes: [
      {
        statement: /^find-campaign-snapshots$/,
        from: `status IN ('calling', 'lost')`,
        to: `status = 'lost'`,
      },
    ],
  },
  'recipients-skipped': {
    fault: 'server-killed',
    violation: 'A campaign did not call every recipient',
    changes: [
      {
        statement: /^next-campaign-recipients$/,
        from: `AND status = 'pending'`,
        to: `AND status = 'pending' AND row_number % 5 <> 0`,
      },
      {
        statement: /^complete-ended-campaigns$/,
        from: 'count_pending + count_calling + count_retrying = 0',
        to: 'count_calling + count_retrying = 0 AND count_pending < recipient_count',
      },
    ],
  },
  'same-askings-recorded-twice': {
    fault: 'server-killed',
    violation: 'A table was booked twice',
    // Each asking of a runtime that repeats itself is another one.
    changes: [
      { statement: /^record-tool-invocation$/, from: '$3, $4, $8::jsonb', to: '$3, NULL, $8::jsonb' },
    ],
  },
  'left-invocations-failed': {
    fault: 'during-tool',
    violation: 'An invocation that the shop received is recorded as not done',
    changes: [
      {
        statement: /^settle-tool-invocation$/,
        from: 'SET state = $3,',
        to: `SET state = CASE $3 WHEN 'unknown' THEN 'failed' ELSE $3 END,`,
      },
    ],
  },
  'restores-repeated': {
    fault: 'version-restore',
    violation: 'One request to restore a version made two',
    // The statement is the same as in the next server.
    changes: [
      {
        statement: /^claim-idempotency-key$/,
        from: 'held.answer IS NULL AND held.locked_until <= now()',
        to: 'COALESCE(held.locked_until, now()) <= now()',
      },
    ],
  },
  'idempotency-keys-released': {
    fault: 'server-killed',
    violation: 'One request was answered with two calls',
    // A key can be used again as soon as its attempt is over.
    changes: [
      {
        statement: /^claim-idempotency-key$/,
        from: 'held.answer IS NULL AND held.locked_until <= now()',
        to: 'COALESCE(held.locked_until, now()) <= now()',
      },
    ],
  },
};

/** One for each sentence of the promise, and one for each way to call a person who must not be called. */
export const SHORT_MUTATIONS = [
  'claim-always-granted',
  'hold-released-twice',
  'repeated-claim-refused',
  'recipients-called-twice',
  'do-not-call-list-ignored',
  'same-askings-recorded-twice',
];

/** The job that sends the pending deliveries of one ordering key. */
export const DELIVER_WEBHOOKS = 'webhooks.deliver';

export interface DeliveryJob {
  workspaceId: string;
  orderingKey: string;
}

/**
 * The largest possible number: the retry schedule ends a delivery, and a job without attempts left would leave it
 * pending.
 */
export const MAX_JOB_ATTEMPTS = 32_767;

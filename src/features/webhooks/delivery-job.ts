/** The job that sends the pending deliveries of one ordering key. */
export const SEND_DELIVERIES = 'webhooks.send';

/** The name of the job in the release before endpoints, whose processes cannot send a delivery of an endpoint. */
export const DELIVER_WEBHOOKS = 'webhooks.deliver';

export interface DeliveryJob {
  workspaceId: string;
  orderingKey: string;
  /** null or absent: the address of a call */
  endpointId?: string | null;
}

/** The job that does what the status of an endpoint demands: it sends a probe, or moves what waits. */
export const FOLLOW_ENDPOINT = 'webhooks.endpoint';

export interface EndpointJob {
  workspaceId: string;
  endpointId: string;
  /** The sequence of the last delivery that was sent on after the change of the status. */
  after: string;
  /** That of the last one that is to be sent on. null: the last that is pending. */
  until: string | null;
}

/**
 * The largest possible number: the retry schedule ends a delivery, and a job without attempts left would leave it
 * pending.
 */
export const MAX_JOB_ATTEMPTS = 32_767;

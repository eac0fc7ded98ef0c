import { Inject, Injectable } from '@nestjs/common';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { PoolClient } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { DataSource, type EntityManager } from 'typeorm';
import { destinationRulesOf } from '../calls/destinations';
import { Turns } from '../common/turns';
import { CONFIG, type Config } from '../config';
import { QuotasService } from '../workspaces/quotas.service';
import { Campaign } from './campaign.entity';
import { importsBusy, invalidRecipientsFile } from './campaigns.errors';
import { COPY_INTO_STAGE, CREATE_STAGE, FIND_REPEATED, INSERT_RECIPIENTS } from './recipient-import.sql';
import { type ReaderOptions, readRecipients } from './recipient-reader';
import type { Recipient } from './recipient-rows';
import { RowFaults } from './row-faults';

/** Each takes a connection of the pool for seconds, and calls need some too. */
const IMPORTS_AT_ONCE = 2;

/** A million rows take longer than other statements may. */
const STATEMENT_TIMEOUT = '10min';

/** Bytes that are worked on before other requests have their turn: some milliseconds. */
const CHUNK = 16 * 1024;

export type NewCampaign = Pick<
  Campaign,
  'id' | 'workspaceId' | 'agentId' | 'userId' | 'name' | 'status' | 'scheduleTime'
>;

export interface GivenFile {
  path: string;
  /** How the agent spells its variables. */
  spellings: string[];
  /** Aborted when nobody waits for the answer any more. */
  gone: AbortSignal;
}

/** A line of COPY's text format. */
const copyLine = ({ row, phoneNumber, customerName, dynamicVariables }: Recipient) =>
  [`${row}`, phoneNumber, customerName, JSON.stringify(dynamicVariables)].map(copyField).join('\t') + '\n';

const copyField = (text: string) =>
  text.replace(/[\\\t\n\r]/g, (character) => `\\${{ '\t': 't', '\n': 'n', '\r': 'r' }[character] ?? '\\'}`);

/** Stores a campaign with the recipients of a file, or nothing of it. */
@Injectable()
export class RecipientImport {
  private readonly turns = new Turns(IMPORTS_AT_ONCE, IMPORTS_AT_ONCE);

  constructor(
    private readonly dataSource: DataSource,
    private readonly quotas: QuotasService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * @param stored is called within the transaction, once everything is in it
   * @throws 422 that names the rows at fault
   * @throws 403 where the workspace has too many recipients to call
   * @throws 503 where it was not the workspace's turn in time
   */
  async store<Result>(
    campaign: NewCampaign,
    { path, spellings, gone }: GivenFile,
    stored: (manager: EntityManager, campaign: Campaign) => Promise<Result>,
  ): Promise<Result> {
    const { workspaceId } = campaign;
    const giveBack = await this.turns.takeAsCaller(
      { workspaceId, gone },
      this.config.CAMPAIGN_WAIT_MS,
      importsBusy,
    );
    try {
      return await this.dataSource.transaction(async (manager) =>
        stored(manager, await this.load(manager, campaign, path, spellings)),
      );
    } finally {
      giveBack();
    }
  }

  private async load(
    manager: EntityManager,
    values: NewCampaign,
    path: string,
    spellings: string[],
  ): Promise<Campaign> {
    const client = (await manager.queryRunner?.connect()) as PoolClient;
    await client.query(`SET LOCAL statement_timeout = '${STATEMENT_TIMEOUT}'`);
    await client.query(CREATE_STAGE);
    const faults = new RowFaults();
    const staged = await stage(client, path, faults, {
      spellings,
      destinations: destinationRulesOf(this.config),
    });
    if (faults.isEmpty) {
      await this.quotas.assertRoom(manager, values.workspaceId, 'recipients', staged);
      const row = { ...values, recipientCount: staged };
      const { generatedMaps } = await manager.insert(Campaign, row);
      const { rowCount } = await client.query({ ...INSERT_RECIPIENTS, values: [row.id] });
      if (rowCount === staged) return manager.create(Campaign, { ...row, ...generatedMaps[0] });
    }
    const { rows } = await client.query<{ row: number; phoneNumber: string; first: number }>(FIND_REPEATED);
    faults.add(
      ...rows.map(({ row, phoneNumber, first }) => ({
        row,
        message: `${phoneNumber} stands in row ${first} already`,
      })),
    );
    throw invalidRecipientsFile(faults.toString());
  }
}

/** How many recipients the file has, now in the stage. */
async function stage(
  client: PoolClient,
  path: string,
  faults: RowFaults,
  options: ReaderOptions,
): Promise<number> {
  let staged = 0;
  async function* lines() {
    for await (const recipients of readRecipients(
      createReadStream(path, { highWaterMark: CHUNK }),
      faults,
      options,
    )) {
      staged += recipients.length;
      if (recipients.length > 0) yield recipients.map(copyLine).join('');
    }
  }
  await pipeline(lines, client.query(copyFrom(COPY_INTO_STAGE)));
  return staged;
}

import { type ExecutionContext, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { createHash } from 'node:crypto';
import { type StreamedAnswer, StreamedAnswers } from '../../../platform/http/streamed-answers';
import { rehearsalRunNotFound } from './rehearsal-runs.errors';
import { type NarrowRun, RehearsalRunsRepository } from './rehearsal-runs.repository';
import { writeJunit, writeReport } from './run-report';

/** Writes the documents about runs. */
@Injectable()
export class RunReportsService {
  constructor(
    private readonly runs: RehearsalRunsRepository,
    private readonly answers: StreamedAnswers,
  ) {}

  /** @returns the SHA-256 of the report of a run, in hexadecimal digits */
  async hash(workspaceId: string, runId: string): Promise<string> {
    const hash = createHash('sha256');
    const run = await this.find(workspaceId, runId);
    for await (const part of writeReport(run, this.runs.readResults(workspaceId, run.id))) hash.update(part);
    return hash.digest('hex');
  }

  /** @throws 404 */
  async writeReport(workspaceId: string, runId: string, context: ExecutionContext, response: Response) {
    const run = await this.find(workspaceId, runId);
    const parts = writeReport(run, this.runs.readResults(workspaceId, run.id));
    return this.answers.write(context, response, toFile('report.json', 'application/json', parts));
  }

  /** @throws 404 */
  async writeJunit(workspaceId: string, runId: string, context: ExecutionContext, response: Response) {
    const run = await this.find(workspaceId, runId);
    const counted = (await this.runs.count(workspaceId, [run.id])).get(run.id);
    if (!counted) throw rehearsalRunNotFound();
    const parts = writeJunit(run, counted, this.runs.readResults(workspaceId, run.id));
    return this.answers.write(context, response, toFile('junit.xml', 'application/xml', parts));
  }

  private async find(workspaceId: string, runId: string): Promise<NarrowRun> {
    const run = await this.runs.findWithAgent(workspaceId, runId);
    if (!run) throw rehearsalRunNotFound();
    return run;
  }
}

const toFile = (name: string, type: string, parts: StreamedAnswer['parts']): StreamedAnswer => ({
  kind: 'export',
  headers: {
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Disposition': `attachment; filename="${name}"`,
  },
  parts,
});

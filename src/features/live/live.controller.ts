import { Controller, type ExecutionContext, Get, Res } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiOperation,
  ApiProduces,
  ApiResponse,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { type Caller, CurrentCaller, CurrentContext, Unscoped } from '../../platform/http/access';
import { ApiErrorResponses } from '../../platform/http/error-responses';
import { LastingAccess } from '../../platform/http/lasting-access';
import { EventStream } from './event-stream';
import { EXAMPLE_STREAM, LiveEventsDto } from './live-events.dto';
import { tooManyStreams } from './live.errors';
import { LiveStreams } from './live-streams';

/**
 * OpenAPI 3.1 cannot describe events. It describes the content of a text: here the data of the events by their
 * names.
 */
const STREAM = {
  type: 'string',
  contentMediaType: 'text/event-stream',
  contentSchema: { $ref: getSchemaPath(LiveEventsDto) },
};

@ApiTags('Calls')
@Controller('api/live')
export class LiveController {
  constructor(
    private readonly streams: LiveStreams,
    private readonly access: LastingAccess,
  ) {}

  @Get()
  @Unscoped()
  @ApiOperation({
    operationId: 'streamChanges',
    summary: 'Stream what changes',
    description:
      'Server-sent events for a page that shows the workspace: `counts` of the calls in progress by status, ' +
      '`call` for a call whose status changed, `campaign` for a campaign that changed or whose calls did, `tool` for ' +
      'what an agent does. They are hints, up to a second late and at most 500 calls a second: read the facts from the other operations. ' +
      '`alive` comes every 15 seconds and says nothing else: a client that gets no event for 35 seconds has lost ' +
      'its connection. Ignore events with other names. The stream ends when the server stops, when its client reads too slowly, and when the credential ends; a ' +
      'client then connects again.\n\n**Cost:** No credits.',
  })
  @ApiExtraModels(LiveEventsDto)
  @ApiProduces('text/event-stream')
  @ApiResponse({
    status: 200,
    description: 'Events until one side closes the stream',
    content: { 'text/event-stream': { schema: STREAM, example: EXAMPLE_STREAM } },
  })
  @ApiErrorResponses([tooManyStreams(100)])
  stream(
    @CurrentCaller() { workspaceId }: Caller,
    @CurrentContext() context: ExecutionContext,
    @Res() response: Response,
  ): void {
    this.streams.assertRoom(workspaceId);
    if (response.req.method === 'HEAD') return void response.type('text/event-stream').end();
    const stream = new EventStream(response);
    stream.onClose(this.access.watch(context, () => stream.end()));
    this.streams.add(workspaceId, stream);
  }
}

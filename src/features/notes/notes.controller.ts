import { Body, Controller, Get, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller, Unscoped } from '../../platform/http/access';
import { ApiEnvelopeResponse } from '../../platform/http/envelope';
import { ApiRequestBody } from '../../platform/http/request-body';
import { Audited } from '../../accounts/audit/audited';
import { quotaReached } from '../../accounts/workspaces/workspaces.errors';
import { FindNoteQuery, NoteDto, WriteNoteDto } from './notes.dto';
import { noteChanged } from './notes.errors';
import { NotesService } from './notes.service';

@ApiTags('Notes')
@Controller('api/notes')
export class NotesController {
  constructor(private readonly notes: NotesService) {}

  @Get()
  @Unscoped()
  @ApiEnvelopeResponse({
    operationId: 'getNote',
    summary: 'Read the note on a person',
    description: 'Returns what users have written about the person with a number.',
    status: 200,
    message: 'Note',
    data: NoteDto,
  })
  find(@CurrentCaller() { workspaceId }: Caller, @Query() { phone_number }: FindNoteQuery) {
    return this.notes.find(workspaceId, phone_number);
  }

  @Put()
  @Unscoped({ operates: true })
  // The audit contains neither the text nor the number, which is that of a person.
  @Audited('note.changed', () => ({ id: null }))
  @ApiRequestBody(WriteNoteDto)
  @ApiEnvelopeResponse({
    operationId: 'writeNote',
    summary: 'Write a note on a person',
    description:
      'Replaces what users have written about the person with a number, if it is still the note with this ' +
      '`updated_at`. The same text again is no change. The note stays until it is emptied or the person is erased.',
    cost: 'No credits. Counts towards the limit of notes.',
    status: 200,
    message: 'Note written',
    data: NoteDto,
    errors: [noteChanged(), quotaReached('notes', { limit: 100_000, used: 100_000 })],
  })
  write(@CurrentCaller() { workspaceId }: Caller, @Body() body: WriteNoteDto) {
    return this.notes.write(workspaceId, body);
  }
}

import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database';
import { QuotasService } from '../../accounts/workspaces/quotas.service';
import type { NoteDto, WriteNoteDto } from './notes.dto';
import { noteChanged } from './notes.errors';
import { NotesRepository, type WrittenNote } from './notes.repository';

const presentNote = (phoneNumber: string, note?: WrittenNote): NoteDto => ({
  phone_number: phoneNumber,
  text: note?.text ?? '',
  updated_by: note?.updatedBy ?? null,
  updated_at: note?.updatedAt ?? null,
});

@Injectable()
export class NotesService {
  constructor(
    private readonly notes: NotesRepository,
    private readonly quotas: QuotasService,
    private readonly database: Database,
  ) {}

  async find(workspaceId: string, phoneNumber: string): Promise<NoteDto> {
    return presentNote(phoneNumber, await this.notes.find(workspaceId, phoneNumber));
  }

  /**
   * Writes what is known about a person. The same text again is no change, so that a request can be repeated.
   * @throws 409 if the note is not the one that the sender has read, 403 if the workspace has too many
   */
  write(workspaceId: string, { phone_number, text, updated_at }: WriteNoteDto): Promise<NoteDto> {
    const note = { text: text.trim(), replaced: updated_at };
    return this.database.transaction(async (transaction) => {
      const written = await this.change(workspaceId, phone_number, note, transaction);
      if (written) return presentNote(phone_number, written === 'removed' ? undefined : written);
      const current = await this.notes.find(workspaceId, phone_number, transaction);
      if ((current?.text ?? '') !== note.text) throw noteChanged();
      transaction.change = null;
      return presentNote(phone_number, current);
    });
  }

  /** @returns undefined if another change came first, or if there is nothing to remove */
  private async change(
    workspaceId: string,
    phoneNumber: string,
    { text, replaced }: { text: string; replaced: Date | null },
    transaction: Transaction,
  ): Promise<WrittenNote | 'removed' | undefined> {
    if (replaced === null) {
      if (text === '') return undefined;
      await this.quotas.assertWithinQuota(workspaceId, 'notes', transaction);
      return this.notes.add(workspaceId, phoneNumber, text, transaction);
    }
    if (text !== '') return this.notes.replace(workspaceId, phoneNumber, { text, replaced }, transaction);
    const isRemoved = await this.notes.remove(workspaceId, phoneNumber, replaced, transaction);
    return isRemoved ? 'removed' : undefined;
  }
}

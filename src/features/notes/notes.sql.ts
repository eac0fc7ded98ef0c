import { statement } from '../../platform/database/statement';
import type { Note } from './note.entity';

interface NoteOfPerson {
  workspaceId: string;
  phoneNumber: string;
}

export type WrittenNote = Pick<Note, 'text' | 'updatedBy' | 'updatedAt'>;

/** The change that a new text replaces. null: there is no note */
interface Replaced extends NoteOfPerson {
  replaced: Date | null;
}

const COLUMNS = `text, updated_by AS "updatedBy", updated_at AS "updatedAt"`;

export const FIND_NOTE = statement<NoteOfPerson, WrittenNote>(
  'find-note',
  `SELECT ${COLUMNS} FROM notes WHERE workspace_id = $workspaceId AND phone_number = $phoneNumber`,
);

/** Adds a note. No row: there is one. */
export const ADD_NOTE = statement<NoteOfPerson & Pick<Note, 'text' | 'updatedBy'>, WrittenNote>(
  'add-note',
  `
    INSERT INTO notes (workspace_id, phone_number, text, updated_by, updated_at)
    VALUES ($workspaceId, $phoneNumber, $text, $updatedBy::jsonb, clock_timestamp())
    ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
);

/** Replaces the text of a note. No row: another change came first. Two changes never have the same time. */
export const REPLACE_NOTE = statement<Replaced & Pick<Note, 'text' | 'updatedBy'>, WrittenNote>(
  'replace-note',
  `
    UPDATE notes
    SET text = $text, updated_by = $updatedBy::jsonb,
        updated_at = GREATEST(clock_timestamp(), updated_at + interval '1 millisecond')
    WHERE workspace_id = $workspaceId AND phone_number = $phoneNumber AND updated_at = $replaced
    RETURNING ${COLUMNS}`,
);

/** Removes a note. No row: another change came first. */
export const REMOVE_NOTE = statement<Replaced, { phoneNumber: string }>(
  'remove-note',
  `
    DELETE FROM notes
    WHERE workspace_id = $workspaceId AND phone_number = $phoneNumber AND updated_at = $replaced
    RETURNING phone_number AS "phoneNumber"`,
);

/** Removes the note of a person who is being erased. */
export const ERASE_NOTE = statement<NoteOfPerson, object>(
  'erase-note',
  `DELETE FROM notes WHERE workspace_id = $workspaceId AND phone_number = $phoneNumber`,
);

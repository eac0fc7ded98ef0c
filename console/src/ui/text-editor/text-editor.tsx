import { type FocusEvent, useCallback, useEffect, useEffectEvent, useState } from 'react';
import { texts } from '../../texts';
import { TextArea } from '../fields';
import { useFile } from '../use-file';
import type { Editor, EditorSettings } from './create-editor';
import styles from './text-editor.module.css';

interface Content extends EditorSettings {
  text: string;
  onChange: (text: string) => void;
}

export interface TextEditorHandle {
  /** Undefined until the file of the editor is loaded, or if it cannot be. */
  editor: Editor | undefined;
  hasFailed: boolean;
  /** The element of the editor. It may move to another place of the page, and keeps its text and its history. */
  host: HTMLElement;
  content: Content;
}

/** An editor of a text, whose file is loaded when it is first used. */
export function useTextEditor(content: Content): TextEditorHandle {
  const { text, onChange, ...settings } = content;
  const [host] = useState(() => {
    const element = document.createElement('div');
    element.attachShadow({ mode: 'open' });
    return element;
  });
  const [editor, setEditor] = useState<Editor>();
  const file = useFile('text-editor', () => import('./create-editor'));
  const createEditor = file.data?.createEditor;
  const change = useEffectEvent((next: string) => onChange(next));
  const create = useEffectEvent((root: ShadowRoot) =>
    createEditor?.(root, text, settings, (next) => change(next)),
  );
  useEffect(() => {
    const created = host.shadowRoot && createEditor && create(host.shadowRoot);
    setEditor(created ?? undefined);
    return () => created?.destroy();
  }, [host, createEditor]);
  useEffect(() => editor?.setText(text), [editor, text]);
  const { label, description, isInvalid, isReadOnly } = settings;
  const names = settings.variables.join('\n');
  useEffect(() => editor?.describe(description), [editor, description]);
  useEffect(
    () => editor?.setAttributes({ label, isInvalid, isReadOnly }),
    [editor, label, isInvalid, isReadOnly],
  );
  useEffect(() => editor?.setVariables(names.split('\n').filter(Boolean)), [editor, names]);
  return { editor, hasFailed: file.isError, host, content };
}

/** The place of an editor. If its file cannot be loaded, there is a plain field. */
export function TextEditor({ editor, hasFailed, host, content }: TextEditorHandle) {
  const { label, text, isReadOnly, onChange } = content;
  // An element that is put into its place again loses the focus.
  const slot = useCallback((place: HTMLDivElement | null) => place?.append(host), [host]);
  if (hasFailed) {
    return (
      <TextArea
        label={label}
        rows={12}
        value={text}
        disabled={isReadOnly}
        onChange={({ target }) => onChange(target.value)}
      />
    );
  }
  const focusInside = ({ target, currentTarget }: FocusEvent) => {
    if (target === currentTarget) editor?.focus();
  };
  return (
    <div className={styles.place} tabIndex={-1} data-editor={editor && ''} onFocus={focusInside}>
      {!editor && <p className={styles.loading}>{texts.common.loading}</p>}
      <div className={styles.slot} ref={slot} />
    </div>
  );
}

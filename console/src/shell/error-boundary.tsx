import { Component, type ReactNode } from 'react';
import { Button } from '../ui/button';
import { Notice } from '../ui/notice';
import { texts } from '../texts';

/** Shows a button that reloads the page if its children fail to render. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <div role="alert">
        <Notice kind="warn">
          <p>{texts.failure.unexpected}</p>
          <Button onClick={() => window.location.reload()}>{texts.failure.reload}</Button>
        </Notice>
      </div>
    );
  }
}

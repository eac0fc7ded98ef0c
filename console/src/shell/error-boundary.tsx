import { Component, type ReactNode } from 'react';
import { Button } from '../components/button';
import { texts } from '../texts';

/** Shows a way out when a page fails to render, or when its file is gone after an upgrade of the server. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <main role="alert">
        <p>{texts.failure.unexpected}</p>
        <Button onClick={() => window.location.reload()}>{texts.failure.reload}</Button>
      </main>
    );
  }
}

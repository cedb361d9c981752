import { token } from './api.js';
import { byId, fill, h } from './dom.js';

/**
 * Asks for a token, once at a time.
 * @param {() => void} then what was refused without it
 * @param {() => void} otherwise when none is given
 */
export function askToken(then, otherwise) {
  const dialog = byId('token', HTMLDialogElement);
  if (dialog.open) return;
  const input = h('input', { type: 'password', autocomplete: 'off', required: true, id: 'token-text' });
  let isGiven = false;
  const use = () => {
    token.set(input.value.trim());
    isGiven = true;
  };
  fill(
    dialog,
    h(
      'form',
      { method: 'dialog', onsubmit: use },
      h('h2', { id: 'token-title' }, 'This index needs a token'),
      token.get() !== '' && h('p', { class: 'warning', role: 'alert' }, 'The token was not accepted.'),
      h('label', { for: 'token-text' }, 'Token'),
      input,
      h('button', {}, 'Use it'),
    ),
    h(
      'p',
      { class: 'quiet' },
      'It is kept until this tab is closed. Whoever runs the server makes one with ibid token.',
    ),
  );
  dialog.onclose = () => (isGiven ? then() : otherwise());
  dialog.showModal();
}

// The tab of the view in which people try a server. The view is loaded when it is opened for the first time.
import {loading} from '../parts.js';

let view = null;
let begun = false;

async function load(page) {
  begun = true;
  const style = Object.assign(document.createElement('link'), {rel: 'stylesheet', href: 'workbench.css'});
  const styled = new Promise(done => { style.onload = style.onerror = done; });
  document.head.append(style);
  const [{workbench}] = await Promise.all([import('./workbench.js'), styled]);
  view = workbench;
  page.draw();
}

export const tryServer = {
  id: 'try',
  name: 'Try',
  needs: 'try',
  own: true, // it has a stream of its own
  status: () => view?.status() ?? ['quiet', 'Connecting'],
  leave: () => view?.leave(),
  render(page) {
    if (view) return view.render(page);
    if (!begun) load(page).catch(() => { begun = false; }); // again with the next draw
    return loading();
  },
};

// What the page remembers from one visit to the next, in the browser's own store: letters, logs and, on a web address
// only, keys. Opened from a file the page keeps no key and no letter: there all pages of the machine may share a store.

const NAME = "pbem-desk";
const STORE = "kept";

// A shelf {get, put, drop, isKept}. Where the browser keeps nothing, what is put lasts as long as the page.
export async function openShelf(name = NAME) {
  const base = await opened(name);
  if (base === null) return memory();
  const run = (mode, work) =>
    new Promise((resolve, reject) => {
      const change = base.transaction(STORE, mode);
      const request = work(change.objectStore(STORE));
      change.oncomplete = () => resolve(request.result);
      change.onabort = () => reject(change.error);
    });
  return {
    isKept: true,
    get: (key) => run("readonly", (store) => store.get(key)),
    put: (key, value) => run("readwrite", (store) => store.put(value, key)),
    drop: (key) => run("readwrite", (store) => store.delete(key)),
    keys: () => run("readonly", (store) => store.getAllKeys()),
  };
}

function memory() {
  const kept = new Map();
  return {
    isKept: false,
    get: async (key) => kept.get(key),
    put: async (key, value) => kept.set(key, value),
    drop: async (key) => kept.delete(key),
    keys: async () => [...kept.keys()],
  };
}

function opened(name) {
  return new Promise((resolve) => {
    try {
      const request = indexedDB.open(name, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(STORE);
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => resolve(null);
      request.onblocked = () => resolve(null);
    } catch {
      resolve(null); // a browser that was told to keep nothing
    }
  });
}

/** No WebSocket gets through, and server-sent events bring nothing where the line is dead. */
export default () => {
  globalThis.WebSocket = class extends WebSocket {
    constructor(to) {
      super(to.replace("/live", "/nothing"));
    }
  };
  globalThis.EventSource = class extends EventSource {
    addEventListener(kind, take) {
      super.addEventListener(kind, (event) => globalThis.dead || take(event));
    }
  };
};

/**
 * What a page of another origin can do at a server: with a link and its token, and with a cookie
 * that the browser has for the server. "unread" is what the browser keeps from the page.
 */
export default async ({ server, table, secret }) => {
  const path = `/api/tables/${table}`;
  const say = (text) => ({ move: "table.say", args: { text } });
  const ask = (path, token, body, credentials = "same-origin") =>
    fetch(server + path, {
      method: body ? "POST" : "GET",
      headers: {
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
        ...(body ? { "Content-Type": "application/json" } : {}),
      },
      body: body && JSON.stringify(body),
      credentials,
    });
  const follow = (protocols) =>
    new Promise((resolve) => {
      const socket = new WebSocket(`${server.replace("http", "ws")}${path}/live`, protocols);
      socket.onclose = () => resolve({ feed: "closed", protocol: "closed" });
      socket.onmessage = ({ data }) => {
        resolve({ feed: JSON.parse(data).type, protocol: socket.protocol });
        socket.onclose = null;
        socket.close();
      };
    });
  const unread = () => ({ status: "unread", headers: new Headers(), json: () => ({}) });

  const joined = await ask("/api/join", secret, { name: "Robo", program: true }).catch(unread);
  const { token } = await joined.json();
  const moved = await ask(`${path}/moves`, token, say("Hello from elsewhere.")).catch(unread);
  const read = await ask(path, "", undefined, "include").catch(unread);
  const byCookie = await ask(`${path}/moves`, "", say("By a cookie."), "include").catch(unread);
  return {
    join: joined.status,
    move: moved.status,
    limits: moved.headers.get("RateLimit") ?? "unread",
    ...(await follow(["storypool", `token.${token}`])),
    cookie: read.status,
    cookieMove: byCookie.status,
    cookieFeed: (await follow([])).feed,
  };
};

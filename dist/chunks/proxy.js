import{createRequire as $create}from"node:module";const $require=$create(import.meta.url);import{o as e}from"./hand-over.js";import{no as t}from"./session.js";const {BlockList:n,connect:r,isIP:i}=$require("node:net");const {createServer:a,request:o}=$require("node:http");const {lookup:s}=$require("node:dns/promises");const c=3e4,l=new n,u=new n;for(let e of`0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 172.16.0.0/12 192.0.0.0/24 192.168.0.0/16 198.18.0.0/15 224.0.0.0/3 ::/96 ::ffff:0:0:0/96 fc00::/7 ff00::/8 64:ff9b::/96 64:ff9b:1::/48 2002::/16 2001::/32`.split(` `))d(l,e);for(let e of[`169.254.0.0/16`,`fe80::/10`,`fd00:ec2::/32`,`168.63.129.16/32`,`192.0.0.192/32`,`100.100.100.200/32`])d(u,e);function d(e,t){let[n=``,r]=t.split(`/`);e.addSubnet(n,Number(r),i(n)===6?`ipv6`:`ipv4`)}function f(e,t){return e.check(t,i(t)===6?`ipv6`:`ipv4`)}function p({host:e,port:n},r){return r.flatMap(e=>t(e)??[]).filter(t=>t.host===e&&(t.port??n)===n)}function m(e,{host:t},n){let r=n.some(e=>e.port!==void 0);return f(u,e)?i(t.replace(/^\[|\]$/g,``))!==0&&r?void 0:`${e} is link-local or the cloud's own: list this address itself, with its port`:r||!f(l,e)?void 0:`${e} is private: list the host with its port`}async function h(t,{entries:n,resolve:r}){let i=`${t.host}:${t.port}`,a=p(t,n);if(a.length===0)return{status:403,why:`${i} is not listed. Commands reach only: ${n.join(`, `)}`};let o=await r(t.host.replace(/^\[|\]$/g,``)).catch(t=>e(t));if(typeof o==`string`)return{status:502,why:`${i}: ${o}`};let s={status:502,why:`${i} has no address`};for(let{address:e}of o){let n=m(e,t,a);if(n!==void 0){s={status:403,why:`${i}: ${n}`};continue}let r=await g(e,t.port);if(typeof r!=`string`)return{socket:r};s={status:502,why:`${i}: ${r}`}}return s}function g(e,t){return new Promise(n=>{let i=r({host:e,port:t,allowHalfOpen:!0,timeout:c}),a=e=>{i.destroy(),n(e)};i.once(`timeout`,()=>a(`no connection within ${c/1e3} seconds`)),i.once(`error`,e=>a(e.message)),i.once(`connect`,()=>{i.removeAllListeners(`timeout`).removeAllListeners(`error`),i.setTimeout(0),n(i)})})}const _=new Set(`connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade`.split(` `));async function v(e,t,n=e=>s(e,{all:!0})){let r={entries:t,resolve:n},i=new Set,o=e=>{i.add(e),e.on(`error`,()=>e.destroy()),e.once(`close`,()=>i.delete(e))},c=a((e,t)=>{b(e,t,r,o).catch(()=>t.destroy())});return c.requestTimeout=0,c.on(`connection`,o),c.on(`connect`,(e,t,n)=>{y(e,{client:t,head:n},r,o).catch(()=>t.destroy())}),c.unref(),await new Promise((t,n)=>{c.once(`error`,n),c.listen(e,t)}),{close(){c.close();for(let e of i)e.destroy()}}}async function y({url:e=``},{client:n,head:r},i,a){let{host:o,port:s}=t(e)??{},c=o===void 0||s===void 0?{status:403,why:`CONNECT needs host:port`}:await h({host:o,port:s},i);if(!(`socket`in c)){let e=`looplia: ${c.why}\n`,t=[`HTTP/1.1 ${c.status} Refused`,`Content-Type: text/plain`,`Content-Length: ${Buffer.byteLength(e)}`,`Connection: close`];n.end(`${t.join(`\r
`)}\r\n\r\n${e}`);return}let{socket:l}=c;a(l),n.once(`close`,()=>l.destroy()),l.once(`close`,()=>n.destroy()),n.write(`HTTP/1.1 200 Connection established\r
\r
`),r.length>0&&l.write(r),l.pipe(n),n.pipe(l)}async function b(n,r,i,a){let s=URL.parse(n.url??``),c=s?.protocol===`http:`?t(s.hostname):void 0,l=(e,t)=>{r.headersSent?r.destroy():r.writeHead(e,{"content-type":`text/plain`,connection:`close`}).end(`looplia: ${t}\n`)};if(!s||!c)return l(403,`this is a proxy for http:// and CONNECT`);let u=await h({host:c.host,port:Number(s.port||80)},i);if(!(`socket`in u))return l(u.status,u.why);a(u.socket);let d=Object.entries(n.headers).filter(([e])=>!_.has(e)),f=o({method:n.method,path:`${s.pathname}${s.search}`,setHost:!1,headers:{...Object.fromEntries(d),host:s.host,connection:`close`},createConnection:()=>u.socket});f.on(`error`,e=>l(502,e.message)),f.on(`response`,t=>{let n=Object.entries(t.headers).filter(([e])=>!_.has(e));try{r.writeHead(t.statusCode??502,Object.fromEntries(n)),t.pipe(r)}catch(t){f.destroy(),l(502,e(t))}}),r.once(`close`,()=>f.destroy()),n.pipe(f)}const x=`/run/looplia/network`,S=`/run/looplia/node`,C=new Set([`localhost`,`127.0.0.1`,`[::1]`]),w=`
const { connect, createServer } = require("node:net");
const [proxy, ...forwards] = require("node:process").argv.slice(1);
const join = (client, outside) => {
  client.on("error", () => outside.destroy()).once("close", () => outside.destroy());
  outside.on("error", () => client.destroy()).once("close", () => client.destroy());
  client.pipe(outside);
  outside.pipe(client);
};
const reach = (client, target) => {
  const outside = connect({ path: "${x}", allowHalfOpen: true });
  if (!target) return join(client, outside);
  let said = Buffer.alloc(0);
  const listen = (chunk) => {
    said = Buffer.concat([said, chunk]);
    const end = said.indexOf("\\r\\n\\r\\n");
    if (end < 0) return;
    outside.off("data", listen).pause();
    if (!said.toString("latin1").startsWith("HTTP/1.1 200")) return void client.destroy();
    client.write(said.subarray(end + 4));
    join(client, outside);
  };
  client.on("error", () => outside.destroy());
  outside.on("data", listen).on("error", () => client.destroy());
  outside.write("CONNECT " + target + " HTTP/1.1\\r\\nHost: " + target + "\\r\\n\\r\\n");
};
const listen = (port, address, target) => new Promise((done) => {
  createServer({ allowHalfOpen: true }, (client) => reach(client, target)).on("error", () => done(false)).listen(port, address, () => done(true));
});
const places = [[proxy], ...forwards.map((forward) => forward.split("="))];
Promise.all(places.map(([port, target]) => listen(port, "127.0.0.1", target))).then(async (made) => {
  if (made.includes(false)) process.exit(1);
  await Promise.all(places.map(([port, target]) => listen(port, "::1", target)));
  process.stdout.write("ready", () => require("node:fs").closeSync(1));
});
`;function T(e,n){let r=n.filter(E).map(e=>({entry:e,port:t(e)?.port??0})),i=new Set(r.map(({port:e})=>e)),a=3128;for(;i.has(a);)a+=1;let o=[...new Map(r.map(({entry:e,port:t})=>[t,`${t}=${e}`])).values()],s=`http://127.0.0.1:${a}`,c=[`http_proxy`,`https_proxy`,`all_proxy`,`HTTP_PROXY`,`HTTPS_PROXY`,`ALL_PROXY`],l=`localhost,127.0.0.1,::1`,u=[S,`-e`,D(w),`--`,String(a),...o.map(D)].join(` `);return{shown:[[process.execPath,S],[e,x]],setUp:`[ "$(${u} </dev/null 2>/dev/null &)" = ready ] || { echo "looplia: the listed network could not be set up"; exit 125; }; `,isLocal:r.length===n.length,environment:{...Object.fromEntries(c.map(e=>[e,s])),no_proxy:l,NO_PROXY:l,NODE_USE_ENV_PROXY:`1`}}}function E(e){let{host:n,port:r}=t(e)??{};return n!==void 0&&C.has(n)&&r!==void 0}function D(e){return`'${e.replaceAll(`'`,`'\\''`)}'`}export{T as describeBridge,v as openProxy};
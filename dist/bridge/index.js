#!/usr/bin/env node
import{createRequire as $create}from"node:module";const $require=$create(import.meta.url);const {connect:e,createServer:t}=$require("node:net");const[,,n=``,r=``,i=``]=process.argv;t({noDelay:!0},t=>{let r=e(n);t.pipe(r).pipe(t);for(let e of[t,r])e.on(`error`,()=>{t.destroy(),r.destroy()})}).listen(Number(i),`127.0.0.1`);const a=e(n,()=>a.write(`POST /looplia/leash HTTP/1.1\r
Host: runner\r
\r
`));a.resume().on(`error`,()=>{}),a.on(`close`,()=>{process.kill(Number(r),`SIGTERM`),setTimeout(()=>process.kill(Number(r),`SIGKILL`),1e3)});export{};
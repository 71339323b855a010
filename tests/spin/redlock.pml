/* redlock a second time, written by hand from its page and the rules of the stage: spin's answer
 * must be that of `locklab explore`, and its shortest way as long. One transition here is one step
 * there. It knows nothing of servers that may change places.
 *
 * Clients that want one lock once: SET NX PX at each of three servers, at once; with two of them,
 * and while some of the lease is left, a job; else, and after the job, a script at each that
 * deletes the key where it holds the client's own token.
 *
 * What set_nx_lua.pml says of time, and its invariants, hold here too. */

#ifndef CLIENTS
#define CLIENTS 2
#endif
#ifndef ATTEMPTS
#define ATTEMPTS 2
#endif

/* How often each fault strikes, over all clients and servers. */
#ifndef PAUSES
#define PAUSES 0
#endif
#ifndef CRASHES
#define CRASHES 0
#endif
#ifndef LOST_REPLIES
#define LOST_REPLIES 0
#endif
#ifndef LOST_REQUESTS
#define LOST_REQUESTS 0
#endif
#ifndef RETRIES
#define RETRIES 0
#endif
#ifndef SLOW_JOBS
#define SLOW_JOBS 0
#endif
#ifndef EVICTS
#define EVICTS 0
#endif
#ifndef RESTARTS
#define RESTARTS 0
#endif
#ifndef JUMPS
#define JUMPS 0
#endif

/* 1: a job and a pause end at any time up to their length; 0: only then. */
#ifndef ANY_LENGTH
#define ANY_LENGTH 1
#endif
#define MAY_END(time) (ANY_LENGTH || time == 0)

/* How long everything takes. What clocks may differ by while a lease goes on is DRIFT. */
#ifndef PAUSE
#define PAUSE 1800
#endif
#define TTL 1200
#define JOB 300
#define WAIT 720
#define TIMEOUT 150
#define SLOW 1800
#define JUMP 1800
#define DRIFT 14

#define SERVERS 3
#define MAJORITY 2

/* Where a client is. */
#define AWAY 0    /* it wants no lock yet */
#define TAKES 1   /* its SETs */
#define UNDOES 2  /* its scripts, after a try that failed */
#define WAITS 3   /* between two tries */
#define WORKS 4   /* it is inside */
#define GIVES 5   /* its scripts, after its job */
#define DONE 6    /* or dead */

/* What became of its command at one server, if it is at one. */
#define UNSENT 1
#define SILENT 2  /* sent, and no reply is on its way */
#define RESENDS 3 /* the same, and the client library will send it again */
#define YES 4     /* from here on: the reply that is there to be taken */
#define NO 5
#define UNKNOWN 6

byte at[CLIENTS];
byte tries[CLIENTS];
short due[CLIENTS];    /* of a timer */
short paused[CLIENTS]; /* so long it does nothing */
short since[CLIENTS];  /* its try began; locklab lets that run on until the lock is given back */

/* Of client c at server s, at place c * SERVERS + s: */
byte command[CLIENTS * SERVERS];
short limit[CLIENTS * SERVERS]; /* of a command that is silent, until its client gives up */

byte key[SERVERS];   /* the token in it, or 0: there is none */
short left[SERVERS]; /* until its deadline */

/* Each try has its token. */
#define TOKEN(c) ((c) * ATTEMPTS + tries[c])

#if PAUSES > 0
byte pauses = PAUSES;
#endif
#if CRASHES > 0
byte crashes = CRASHES;
#endif
#if LOST_REPLIES > 0
byte lost_replies = LOST_REPLIES;
#endif
#if LOST_REQUESTS > 0
byte lost_requests = LOST_REQUESTS;
#endif
#if RETRIES > 0
byte retries = RETRIES;
#endif
#if SLOW_JOBS > 0
byte slow_jobs = SLOW_JOBS;
#endif
#if EVICTS > 0
byte evicts = EVICTS;
#endif
#if RESTARTS > 0
byte restarts = RESTARTS;
#endif
#if JUMPS > 0
byte jumps = JUMPS;
#endif

/* Scratch of one step, 0 between two. (A hidden variable is not for -DBFS.) */
byte k;
byte yes;
short least;

#define OF(c, s) command[(c) * SERVERS + (s)]
#define LIMIT(c, s) limit[(c) * SERVERS + (s)]
#define ASKS(c) (at[c] == TAKES || at[c] == UNDOES || at[c] == GIVES)
#define EVERY(what, c) (what(c, 0) && what(c, 1) && what(c, 2))
#define SOME(what, c) (what(c, 0) || what(c, 1) || what(c, 2))
#define IS_UNSENT(c, s) (OF(c, s) == UNSENT)
/* The wait for all replies is over when each is there, or given up. */
#define HAS_ENDED(c, s) ((OF(c, s) >= YES && MAY_END(LIMIT(c, s))) \
                         || (OF(c, s) == SILENT && LIMIT(c, s) == 0))
#define MUST_END(c, s) ((OF(c, s) >= YES || OF(c, s) == SILENT) && LIMIT(c, s) == 0)
#define MUST_SEND_AGAIN(c, s) (OF(c, s) == RESENDS && LIMIT(c, s) == 0)
#define HAS_LIMIT(c, s) (LIMIT(c, s) > 0)
#define BUSY(c)                                                                          \
    (paused[c] == 0 && ((at[c] == WORKS && due[c] == 0)                                  \
                        || (ASKS(c) && (SOME(IS_UNSENT, c) || SOME(MUST_SEND_AGAIN, c)   \
                                        || EVERY(MUST_END, c)))))
#define AHEAD(c) (due[c] > 0 || paused[c] > 0 || SOME(HAS_LIMIT, c))
#define HAS_KEY (key[0] > 0 || key[1] > 0 || key[2] > 0)

#if CLIENTS == 1
#define ANY(what) (what(0))
#elif CLIENTS == 2
#define ANY(what) (what(0) || what(1))
#else
#define ANY(what) (what(0) || what(1) || what(2))
#endif

inline execute_command(s)
{
    if
    :: at[_pid] == TAKES && key[s] == 0 ->
        key[s] = TOKEN(_pid); left[s] = TTL; OF(_pid, s) = YES
    :: at[_pid] != TAKES && key[s] == TOKEN(_pid) ->
        key[s] = 0; left[s] = 0; OF(_pid, s) = YES
    :: else -> OF(_pid, s) = NO
    fi
}

inline forget_commands()
{
    for (k : 0 .. SERVERS - 1) {
        OF(_pid, k) = 0; LIMIT(_pid, k) = 0
    }
    k = 0
}

inline ask_all(where)
{
    at[_pid] = where; due[_pid] = 0;
    for (k : 0 .. SERVERS - 1) {
        OF(_pid, k) = UNSENT; LIMIT(_pid, k) = 0
    }
    k = 0
}

inline finish()
{
    at[_pid] = DONE; tries[_pid] = 0; due[_pid] = 0; since[_pid] = 0; forget_commands()
}

/* Inside, and nobody else is. */
inline enter(job)
{
    at[_pid] = WORKS; due[_pid] = job; forget_commands();
    for (k : 0 .. CLIENTS - 1) {
        assert(k == _pid || at[k] != WORKS)
    }
    k = 0
}

inline count_yes()
{
    for (k : 0 .. SERVERS - 1) {
        yes = yes + (OF(_pid, k) == YES -> 1 : 0)
    }
    k = 0
}

inline end_wait(job)
{
    count_yes();
    if
    :: at[_pid] == TAKES && yes >= MAJORITY && TTL - since[_pid] - DRIFT > 0 -> enter(job)
    :: at[_pid] == TAKES && !(yes >= MAJORITY && TTL - since[_pid] - DRIFT > 0) -> ask_all(UNDOES)
    :: at[_pid] == UNDOES && tries[_pid] < ATTEMPTS ->
        at[_pid] = WAITS; due[_pid] = WAIT; since[_pid] = 0; forget_commands()
    :: else -> finish()
    fi;
    yes = 0
}

inline fall_silent(s, how)
{
    OF(_pid, s) = how; LIMIT(_pid, s) = TIMEOUT
}

inline consider(time)
{
    if
    :: time > 0 && (least == 0 || time < least) -> least = time
    :: else
    fi
}

inline age(time)
{
    time = (time > least -> time - least : 0)
}

#define READY (paused[_pid] == 0)
#define CAN_SEND(s) (OF(_pid, s) == UNSENT && READY)
#define STRUCK (at[_pid] != AWAY && at[_pid] != DONE)

/* What a client can do at one server. */
#define SEND(s) d_step { CAN_SEND(s) -> execute_command(s) }
#define SEND_AGAIN(s) d_step { MUST_SEND_AGAIN(_pid, s) && READY -> OF(_pid, s) = UNSENT }
#define LOSE_REQUEST(s) d_step { lost_requests > 0 && CAN_SEND(s) -> \
        lost_requests--; fall_silent(s, SILENT) }
#define LOSE_REPLY(s) d_step { lost_replies > 0 && CAN_SEND(s) -> \
        lost_replies--; execute_command(s); fall_silent(s, SILENT) }
#define RETRY(s) d_step { retries > 0 && CAN_SEND(s) -> \
        retries--; execute_command(s); fall_silent(s, RESENDS) }

active [CLIENTS] proctype client()
{
end:
    do
    :: d_step { at[_pid] == AWAY -> tries[_pid] = 1; ask_all(TAKES) }
    :: d_step { at[_pid] == WAITS && READY -> tries[_pid]++; ask_all(TAKES) }
    :: d_step { at[_pid] == WORKS && MAY_END(due[_pid]) && READY -> ask_all(GIVES) }
    :: SEND(0)
    :: SEND(1)
    :: SEND(2)
    :: d_step { ASKS(_pid) && EVERY(HAS_ENDED, _pid) && READY -> end_wait(JOB) }
#if RETRIES > 0
    :: SEND_AGAIN(0)
    :: SEND_AGAIN(1)
    :: SEND_AGAIN(2)
    :: RETRY(0)
    :: RETRY(1)
    :: RETRY(2)
#endif
#if SLOW_JOBS > 0
#define IS_YES(c, s) (OF(c, s) == YES)
    :: d_step { slow_jobs > 0 && at[_pid] == TAKES && EVERY(HAS_ENDED, _pid) && READY &&
                (IS_YES(_pid, 0) + IS_YES(_pid, 1) + IS_YES(_pid, 2)) >= MAJORITY &&
                TTL - since[_pid] - DRIFT > 0 -> slow_jobs--; enter(SLOW) }
#endif
#if LOST_REQUESTS > 0
    :: LOSE_REQUEST(0)
    :: LOSE_REQUEST(1)
    :: LOSE_REQUEST(2)
#endif
#if LOST_REPLIES > 0
    :: LOSE_REPLY(0)
    :: LOSE_REPLY(1)
    :: LOSE_REPLY(2)
#endif
#if CRASHES > 0
    :: d_step { crashes > 0 && STRUCK -> crashes--; finish(); paused[_pid] = 0 }
#endif
#if PAUSES > 0
    :: d_step { pauses > 0 && STRUCK && READY -> pauses--; paused[_pid] = PAUSE }
#if ANY_LENGTH
    :: d_step { paused[_pid] > 0 -> paused[_pid] = 0 }
#endif
#endif
    od
}

/* What can happen to one server. */
#define JUMP_AHEAD(s) d_step { jumps > 0 && key[s] > 0 -> \
        jumps--; \
        if \
        :: left[s] < JUMP -> key[s] = 0; left[s] = 0 \
        :: else -> left[s] = left[s] - JUMP \
        fi }
#define JUMP_BACK(s) d_step { jumps > 0 && key[s] > 0 -> jumps--; left[s] = left[s] + JUMP }
#define EVICT(s) d_step { evicts > 0 && key[s] > 0 -> evicts--; key[s] = 0; left[s] = 0 }
/* It comes back empty; of what was sent there, nobody learns what became of it. Who waits is told
 * so, at the latest when it would have given up. */
#define PENDING(c) (at[c] != DONE)
#define RESTART(s) d_step { restarts > 0 && (HAS_KEY || ANY(PENDING)) -> \
        restarts--; key[s] = 0; left[s] = 0; \
        for (k : 0 .. CLIENTS - 1) { \
            if \
            :: OF(k, s) > UNSENT -> OF(k, s) = UNKNOWN \
            :: else \
            fi \
        } \
        k = 0 }

active proctype world()
{
end:
    do
    :: d_step { !ANY(BUSY) && (HAS_KEY || ANY(AHEAD)) ->
        for (k : 0 .. CLIENTS - 1) {
            consider(due[k]);
            consider(paused[k])
        }
        for (k : 0 .. CLIENTS * SERVERS - 1) {
            consider(limit[k])
        }
        /* Who comes when he comes may come just after a key has expired. */
        for (k : 0 .. SERVERS - 1) {
            if
            :: key[k] > 0 -> consider(left[k] + 1)
            :: else
            fi
        }
        for (k : 0 .. CLIENTS - 1) {
            age(due[k]);
            age(paused[k]);
            since[k] = (ASKS(k) || at[k] == WORKS -> since[k] + least : 0)
        }
        for (k : 0 .. CLIENTS * SERVERS - 1) {
            age(limit[k])
        }
        for (k : 0 .. SERVERS - 1) {
            if
            :: left[k] < least -> key[k] = 0; left[k] = 0
            :: else -> left[k] = left[k] - least
            fi
        }
        k = 0; least = 0 }
#if JUMPS > 0
    :: JUMP_AHEAD(0)
    :: JUMP_AHEAD(1)
    :: JUMP_AHEAD(2)
    :: JUMP_BACK(0)
    :: JUMP_BACK(1)
    :: JUMP_BACK(2)
#endif
#if EVICTS > 0
    :: EVICT(0)
    :: EVICT(1)
    :: EVICT(2)
#endif
#if RESTARTS > 0
    :: RESTART(0)
    :: RESTART(1)
    :: RESTART(2)
#endif
    od
}

/* set_nx_lua a second time, written by hand from the article and the rules of the stage: spin's
 * answer must be that of `locklab explore`, and its shortest way as long. One transition here is
 * one step there.
 *
 * Clients that want one lock once: SET NX PX until granted, a job, a script that deletes the key
 * where it holds the client's own token. Who waits for the lock comes at any time; time passes only
 * where nobody else has anything to do; faults strike at any moment, while their budget lasts.
 *
 * Invariants. 1: what is not waited for is 0, so that states that mean the same are the same.
 * 2: times are milliseconds from now. 3: a key whose deadline is now is still there. */

#ifndef CLIENTS
#define CLIENTS 2
#endif
#ifndef ATTEMPTS
#define ATTEMPTS 3
#endif

/* How often each fault strikes, over all clients. */
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
#ifndef DELAYS
#define DELAYS 0
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

/* 1: a job, a pause and a delay end at any time up to their length; 0: only then. */
#ifndef ANY_LENGTH
#define ANY_LENGTH 1
#endif
#define MAY_END(time) (ANY_LENGTH || time == 0)

/* How long everything takes. */
#ifndef TTL
#define TTL 1200
#endif
#ifndef JOB
#define JOB 300
#endif
#ifndef WAIT
#define WAIT 720
#endif
#ifndef TIMEOUT
#define TIMEOUT 150
#endif
#ifndef PAUSE
#define PAUSE 1800
#endif
#ifndef DELAY
#define DELAY 1800
#endif
#ifndef SLOW
#define SLOW 1800
#endif
#ifndef JUMP
#define JUMP 1800
#endif

/* Where a client is. */
#define AWAY 0    /* it wants no lock yet */
#define TAKES 1   /* its SET */
#define WAITS 2   /* between two tries */
#define WORKS 3   /* it is inside */
#define GIVES 4   /* its script */
#define DONE 5    /* or dead */

/* What became of its command, if it is at one. */
#define UNSENT 1
#define SILENT 2  /* sent, and no reply is on its way */
#define RESENDS 3 /* the same, and the client library will send it again */
#define YES 4     /* from here on: the reply that is there to be taken */
#define NO 5
#define UNKNOWN 6

byte at[CLIENTS];
byte command[CLIENTS];
byte tries[CLIENTS];
short due[CLIENTS];    /* a timer, or a silent command's time limit */
short paused[CLIENTS]; /* so long it does nothing */

/* With -DHISTORY also what its tries came to, and a slow job: whoever knows different things
 * is told apart by locklab. Then both have as many states, but for clients that change places. */
#ifdef HISTORY
byte told[CLIENTS];
#define TELL(what) told[_pid] = what
#else
#define TELL(what) skip
#endif
#define REFUSED (told[_pid] * 3 + (command[_pid] == NO -> 1 : 2))

byte key;   /* the token in it, or 0: there is none */
short left; /* until its deadline */

/* Each try has its token. */
#define TOKEN(c) ((c) * ATTEMPTS + tries[c])
#define OWNER(token) (((token) - 1) / ATTEMPTS)

#if DELAYS > 0
byte late[DELAYS]; /* requests that will arrive: the token, twice, plus 1 if it is the script's */
short late_due[DELAYS];
byte delays = DELAYS;
#endif

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
short least;

#define SENT(c) (command[c] == SILENT || command[c] == RESENDS)
#define BUSY(c)                                                   \
    (paused[c] == 0 && (command[c] == UNSENT \
                        || (due[c] == 0 && (at[c] == WORKS || command[c] > UNSENT))))
#define AHEAD(c) (due[c] > 0 || paused[c] > 0)

#if CLIENTS == 1
#define ANY(what) (what(0))
#elif CLIENTS == 2
#define ANY(what) (what(0) || what(1))
#elif CLIENTS == 3
#define ANY(what) (what(0) || what(1) || what(2))
#else
#define ANY(what) (what(0) || what(1) || what(2) || what(3))
#endif
#if DELAYS == 0
#define ARRIVES (false)
#define UNDERWAY (false)
#elif DELAYS == 1
#define ARRIVES (late[0] > 0 && late_due[0] == 0)
#define UNDERWAY (late[0] > 0)
#else
#define ARRIVES ((late[0] > 0 && late_due[0] == 0) || (late[1] > 0 && late_due[1] == 0))
#define UNDERWAY (late[0] > 0)
#endif

inline execute_set(token, reply)
{
    if
    :: key == 0 -> key = token; left = TTL; reply = YES
    :: else -> reply = NO
    fi
}

inline execute_script(token, reply)
{
    if
    :: key == token -> key = 0; left = 0; reply = YES
    :: else -> reply = NO
    fi
}

inline execute_command()
{
    if
    :: at[_pid] == TAKES -> execute_set(TOKEN(_pid), command[_pid])
    :: else -> execute_script(TOKEN(_pid), command[_pid])
    fi
}

inline finish()
{
    at[_pid] = DONE; command[_pid] = 0; tries[_pid] = 0; due[_pid] = 0; TELL(0)
}

/* Inside, and nobody else is. */
inline enter(job)
{
    at[_pid] = WORKS; command[_pid] = 0; due[_pid] = job;
    for (k : 0 .. CLIENTS - 1) {
        assert(k == _pid || at[k] != WORKS)
    }
    k = 0
}

inline fail()
{
    if
    :: at[_pid] == TAKES && tries[_pid] < ATTEMPTS ->
        TELL(REFUSED); at[_pid] = WAITS; command[_pid] = 0; due[_pid] = WAIT
    :: else -> finish()
    fi
}

inline fall_silent(how)
{
    command[_pid] = how; due[_pid] = TIMEOUT
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
#define STRUCK (at[_pid] != AWAY && at[_pid] != DONE)
active [CLIENTS] proctype client()
{
end:
    do
    :: d_step { at[_pid] == AWAY -> at[_pid] = TAKES; command[_pid] = UNSENT; tries[_pid] = 1 }
    :: d_step { at[_pid] == WAITS && READY ->
        at[_pid] = TAKES; command[_pid] = UNSENT; tries[_pid]++; due[_pid] = 0 }
    :: d_step { at[_pid] == WORKS && MAY_END(due[_pid]) && READY ->
        at[_pid] = GIVES; command[_pid] = UNSENT; due[_pid] = 0 }
    :: d_step { command[_pid] == UNSENT && READY -> execute_command() }
    :: d_step { command[_pid] >= YES && MAY_END(due[_pid]) && READY ->
        if
        :: at[_pid] == TAKES && command[_pid] == YES -> enter(JOB)
        :: else -> fail()
        fi }
    :: d_step { SENT(_pid) && due[_pid] == 0 && READY ->
        if
        :: command[_pid] == RESENDS -> command[_pid] = UNSENT
        :: else -> fail()
        fi }
#if SLOW_JOBS > 0
    :: d_step { slow_jobs > 0 && at[_pid] == TAKES && command[_pid] == YES && READY ->
        slow_jobs--; enter(SLOW); TELL(told[_pid] + 100) }
#endif
#if LOST_REQUESTS > 0
    :: d_step { lost_requests > 0 && command[_pid] == UNSENT && READY ->
        lost_requests--; fall_silent(SILENT) }
#endif
#if LOST_REPLIES > 0
    :: d_step { lost_replies > 0 && command[_pid] == UNSENT && READY ->
        lost_replies--; execute_command(); fall_silent(SILENT) }
#endif
#if RETRIES > 0
    :: d_step { retries > 0 && command[_pid] == UNSENT && READY ->
        retries--; execute_command(); fall_silent(RESENDS) }
#endif
#if DELAYS > 0
    :: d_step { delays > 0 && command[_pid] == UNSENT && READY ->
        delays--; fall_silent(SILENT);
        do
        :: late[k] > 0 -> k++
        :: else -> break
        od;
        late[k] = 2 * TOKEN(_pid) + (at[_pid] == GIVES); late_due[k] = DELAY;
        k = 0 }
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

#if DELAYS > 0
#define LATE_TOKEN(n) (late[n] / 2)
#define LATE_STEP(n) (late[n] % 2 == 0 -> TAKES : GIVES)
#define SENDER(n) OWNER(LATE_TOKEN(n))

/* The reply goes to whoever still waits for it. */
inline arrive(n)
{
    if
    :: late[n] % 2 == 0 -> execute_set(LATE_TOKEN(n), k)
    :: else -> execute_script(LATE_TOKEN(n), k)
    fi;
    if
    :: command[SENDER(n)] == SILENT && at[SENDER(n)] == LATE_STEP(n) &&
       TOKEN(SENDER(n)) == LATE_TOKEN(n) -> due[SENDER(n)] = 0; command[SENDER(n)] = k
    :: else
    fi;
    k = n;
    do
    :: k < DELAYS - 1 -> late[k] = late[k + 1]; late_due[k] = late_due[k + 1]; k++
    :: else -> break
    od;
    late[k] = 0; late_due[k] = 0;
    k = 0
}
#endif

active proctype world()
{
end:
    do
    :: d_step { !ANY(BUSY) && !ARRIVES && (key > 0 || UNDERWAY || ANY(AHEAD)) ->
        for (k : 0 .. CLIENTS - 1) {
            consider(due[k]);
            consider(paused[k])
        }
#if DELAYS > 0
        for (k : 0 .. DELAYS - 1) {
            consider(late_due[k])
        }
#endif
        /* Who comes when he comes may come just after the key has expired. */
        if
        :: key > 0 -> consider(left + 1)
        :: else
        fi;
        for (k : 0 .. CLIENTS - 1) {
            age(due[k]);
            age(paused[k])
        }
#if DELAYS > 0
        for (k : 0 .. DELAYS - 1) {
            age(late_due[k])
        }
#endif
        if
        :: left < least -> key = 0; left = 0
        :: else -> left = left - least
        fi;
        k = 0; least = 0 }
#if DELAYS > 0
    :: d_step { late[0] > 0 && MAY_END(late_due[0]) -> arrive(0) }
#endif
#if DELAYS > 1
    /* Of one client, the first that was sent. */
    :: d_step { late[1] > 0 && MAY_END(late_due[1]) && SENDER(1) != SENDER(0) -> arrive(1) }
#endif
#if JUMPS > 0
    :: d_step { jumps > 0 && key > 0 -> jumps--; left = left + JUMP }
    :: d_step { jumps > 0 && key > 0 ->
        jumps--;
        if
        :: left < JUMP -> key = 0; left = 0
        :: else -> left = left - JUMP
        fi }
#endif
#if EVICTS > 0
    :: d_step { evicts > 0 && key > 0 -> evicts--; key = 0; left = 0 }
#endif
#if RESTARTS > 0
    /* The server comes back empty; of what was sent, nobody learns what became of it. Who waits
       is told so, at the latest when it would have given up. */
#define PENDING(c) (at[c] != DONE)
    :: d_step { restarts > 0 && (key > 0 || UNDERWAY || ANY(PENDING)) ->
        restarts--; key = 0; left = 0;
        for (k : 0 .. CLIENTS - 1) {
            if
            :: command[k] > UNSENT -> command[k] = UNKNOWN
            :: else
            fi
        };
#if DELAYS > 0
        for (k : 0 .. DELAYS - 1) {
            late[k] = 0; late_due[k] = 0
        };
#endif
        k = 0 }
#endif
    od
}

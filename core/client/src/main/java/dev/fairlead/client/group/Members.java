package dev.fairlead.client.group;

import dev.fairlead.client.ClientRequests;
import dev.fairlead.client.internal.Mailbox;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.engine.HeapSize;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.protocol.time.WaitDeadline;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/**
 * The servers of a group, their features together, and the listeners. The lock orders changes of
 * both; nothing blocks while it is held.
 */
final class Members {
    private static final System.Logger LOGGER = System.getLogger(Members.class.getName());
    private static final int WAITING = 1_000;

    private final GroupSettings settings;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Names toolNames;
    private final Names promptNames;
    private final Mailbox<String> news;
    private final Mailbox<ServerStatus> statuses;
    private volatile Map<String, Member> members = Map.of(); // replaced under the lock
    private volatile Merged merged = Merged.NONE; // replaced under the lock
    private volatile @Nullable LoggingLevel level;
    private boolean
            complete; // until then no names are given, since they depend on the servers of the
    // group
    private boolean closed;

    Members(GroupSettings settings) {
        this.settings = settings;
        this.toolNames = new Names(settings.naming);
        this.promptNames = new Names(settings.naming);
        this.level = settings.level;
        this.news = new Mailbox<>("group-lists", WAITING, this::notifyOfList);
        this.statuses =
                new Mailbox<>(
                        "group-status",
                        WAITING,
                        Mailbox.MAX_BYTES,
                        status -> HeapSize.of(status.reason()),
                        status -> Objects.requireNonNull(settings.onStatus).changed(status));
    }

    // ---- the servers of the group

    Collection<Member> all() {
        return members.values();
    }

    void add(Member member) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if (closed) {
                throw new IllegalStateException("the group is closed");
            }
            if (members.containsKey(member.name())) {
                throw new IllegalArgumentException(
                        "a server with this name is in the group already: " + member.name());
            }
            if (members.size() >= settings.maxServers) {
                throw new IllegalStateException(
                        "the group has its most servers, " + settings.maxServers);
            }
            Map<String, Member> more = new LinkedHashMap<>(members);
            more.put(member.name(), member);
            members = more;
        } finally {
            lock.unlock();
        }
        member.start();
    }

    /** Takes a server out of the group; the caller ends it. */
    Member remove(String server) {
        Member removed;
        lock.lock();
        try {
            removed = member(server);
            Map<String, Member> rest = new LinkedHashMap<>(members);
            rest.remove(server);
            members = rest;
            toolNames.forget(server);
            promptNames.forget(server);
        } finally {
            lock.unlock();
        }
        listsChanged();
        return removed;
    }

    /** Accepts no more members; the caller ends the present ones. */
    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        news.close();
        statuses.close();
    }

    Member member(String server) {
        Member member = members.get(Objects.requireNonNull(server, "server"));
        if (member == null) {
            throw new IllegalArgumentException("no server of the group is called " + server);
        }
        return member;
    }

    // ---- features of the servers

    Merged merged() {
        return merged;
    }

    void listsChanged() {
        lock.lock();
        try {
            if (!complete) {
                return;
            }
            Merged before = merged;
            Merged after = merge();
            merged = after;
            if (settings.onToolsChanged != null && !after.tools().equals(before.tools())) {
                news.putOnce("tools");
            }
            if (settings.onResourcesChanged != null
                    && !(after.resources().equals(before.resources())
                            && after.templates().equals(before.templates()))) {
                news.putOnce("resources");
            }
            if (settings.onPromptsChanged != null && !after.prompts().equals(before.prompts())) {
                news.putOnce("prompts");
            }
        } finally {
            lock.unlock();
        }
    }

    private Merged merge() {
        return Merged.of(members.values(), toolNames, promptNames);
    }

    /** The first servers have connected or failed; their lists are not reported as changes. */
    void complete() {
        lock.lock();
        try {
            complete = true;
            merged = merge();
        } finally {
            lock.unlock();
        }
    }

    private void notifyOfList(String list) throws Exception {
        Merged now = merged;
        switch (list) {
            case "tools" -> Objects.requireNonNull(settings.onToolsChanged).changed(now.tools());
            case "resources" ->
                    Objects.requireNonNull(settings.onResourcesChanged).changed(now.resources());
            default -> Objects.requireNonNull(settings.onPromptsChanged).changed(now.prompts());
        }
    }

    /** An item by the name of its own, and the server that has it. */
    record Found(Member member, String name) {}

    Found tool(String name) {
        return found(toolNames, name)
                .orElseThrow(() -> JsonRpcException.invalidParams("Unknown tool: " + name));
    }

    Found prompt(String name) {
        return found(promptNames, name)
                .orElseThrow(() -> JsonRpcException.invalidParams("Unknown prompt: " + name));
    }

    private Optional<Found> found(Names names, String name) {
        lock.lock();
        try {
            return names.find(name)
                    .flatMap(
                            item ->
                                    Optional.ofNullable(members.get(item.server()))
                                            .map(member -> new Found(member, item.name())));
        } finally {
            lock.unlock();
        }
    }

    /** The server that has a resource; where no list contains it, each that has resources. */
    List<Member> having(String uri) {
        Map<String, Member> now = members;
        Member known = merged.serverOf(uri).map(now::get).orElse(null);
        return known != null
                ? List.of(known)
                : now.values().stream()
                        .filter(member -> member.lists().known().capabilities().resources())
                        .toList();
    }

    Member havingTemplate(String template) {
        return merged.serverOfTemplate(template)
                .map(members::get)
                .orElseThrow(
                        () ->
                                JsonRpcException.invalidParams(
                                        "Unknown resource template: " + template));
    }

    // ---- how they are

    void statusChanged(ServerStatus status) {
        if (settings.onStatus != null) {
            statuses.put(status);
        }
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a condition that depends on states; false if the time was not enough. */
    boolean await(BooleanSupplier condition, Duration limit, Timers timers)
            throws InterruptedException {
        try (WaitDeadline over = new WaitDeadline(timers, limit, lock, changed)) {
            lock.lockInterruptibly();
            try {
                while (!condition.getAsBoolean()) {
                    if (over.hasPassed() || closed) {
                        return false;
                    }
                    changed.await();
                }
                return true;
            } finally {
                lock.unlock();
            }
        }
    }

    // ---- notifications to all of them

    /** The log level that is asked for at the moment, if one is. */
    @Nullable LoggingLevel level() {
        return level;
    }

    void setLoggingLevel(LoggingLevel wanted, UnaryOperator<ClientRequests> options)
            throws InterruptedException {
        level = wanted;
        onEach(member -> member.sendLoggingLevel(options));
    }

    void refresh() throws InterruptedException {
        onEach(member -> member.lists().refresh());
    }

    /** Does the same with every server, at the same time, so that none waits for another. */
    private void onEach(Each each) throws InterruptedException {
        List<Callable<Void>> work = new ArrayList<>();
        members.values()
                .forEach(
                        member ->
                                work.add(
                                        () -> {
                                            tryWith(member, each);
                                            return null;
                                        }));
        try (ExecutorService executor =
                Executors.newThreadPerTaskExecutor(
                        Thread.ofVirtual().name("mcp-group-each").factory())) {
            executor.invokeAll(work);
        }
    }

    private static void tryWith(Member member, Each each) throws InterruptedException {
        try {
            each.with(member);
        } catch (CallException e) {
            LimitedLog.log(
                    LOGGER,
                    Level.WARNING,
                    member.name(),
                    "The server {0}: {1}",
                    member.name(),
                    Printable.excerpt(e.getMessage()));
        } catch (RuntimeException e) { // of an interceptor of the user
            LimitedLog.failed(
                    LOGGER,
                    Level.WARNING,
                    member.name(),
                    e,
                    "A request to the server {0} failed",
                    member.name());
        }
    }

    /** An action with one server. */
    @FunctionalInterface
    private interface Each {
        void with(Member member) throws InterruptedException;
    }
}

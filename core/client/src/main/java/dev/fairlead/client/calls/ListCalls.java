package dev.fairlead.client.calls;

import dev.fairlead.client.link.CallOptions;
import dev.fairlead.client.link.ListBytes;
import dev.fairlead.client.link.ResponseCache;
import dev.fairlead.client.link.RetryPolicy;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.InvalidResultException;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.base.PaginatedRequest;
import dev.fairlead.protocol.base.PaginatedResult;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.protocol.tools.ListToolsResult;
import dev.fairlead.protocol.tools.Tool;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Reads lists of the server, by page or whole, and from them the definitions of tools.
 *
 * @param options of each request
 */
public record ListCalls(CallParts parts, CallOptions options) {
    private static final System.Logger LOGGER = System.getLogger(ListCalls.class.getName());

    /** How often the tools are read for a call that depends on them, where they keep changing. */
    public static final int READINGS = 3;

    /** Reads one page. */
    @FunctionalInterface
    private interface Page<R> {
        R read(ListCalls lists, @Nullable String cursor) throws InterruptedException;
    }

    /**
     * Reads all pages of a list.
     *
     * @throws InvalidResultException if the list is too long
     */
    public <R extends PaginatedResult, T> List<T> all(
            Method<PaginatedRequest, R> method, Function<R, List<T>> items)
            throws InterruptedException {
        return all(method.name(), (lists, cursor) -> lists.page(method, cursor), items);
    }

    private <R extends PaginatedResult, T> List<T> all(
            String method, Page<R> page, Function<R, List<T>> items) throws InterruptedException {
        boolean mayUseKept =
                options.cache == ResponseCache.Use.NORMAL && parts.context().cache().keeps(method);
        return pages(method, page, items, mayUseKept);
    }

    /**
     * Follows the cursors, each as it came, to the page that has none. A cursor that comes again
     * ends the list, and so does an empty one that the server refuses: sloppy servers mean their
     * last page. Items that have come twice by then are there once.
     *
     * @param mayUseKept whether a page may be a kept one, whose cursor is out of date
     */
    private <R extends PaginatedResult, T> List<T> pages(
            String method, Page<R> page, Function<R, List<T>> items, boolean mayUseKept)
            throws InterruptedException {
        ListBytes bytes = new ListBytes(method, parts.settings().maxListBytes);
        ListCalls counted = new ListCalls(parts, options.with(copy -> copy.list = bytes));
        List<T> all = new ArrayList<>();
        Set<String> cursors = new HashSet<>();
        String cursor = null;
        do {
            R result;
            try {
                result = page.read(counted, cursor);
            } catch (JsonRpcException e) {
                if (cursor != null && cursor.isEmpty()) {
                    warn(method, "refuses its own empty cursor, which ends the list");
                    return List.copyOf(all);
                }
                if (RetryPolicy.isRefusedCursor(e, mayUseKept && cursor != null)) {
                    return pages(method, page, items, false); // from the first one
                }
                throw e;
            }
            all.addAll(items.apply(result));
            cursor = result.nextCursor();
            if (cursor != null && !cursors.add(cursor)) {
                warn(method, "repeats a cursor, which ends the list");
                List<T> different = once(all);
                requireLimits(method, different.size(), 0);
                return different;
            }
            requireLimits(method, all.size(), cursor == null ? 0 : cursors.size());
        } while (cursor != null);
        return List.copyOf(all);
    }

    private void requireLimits(String method, int items, int cursors) {
        int maxPages = parts.settings().maxPages;
        int maxItems = parts.settings().maxItems;
        if (items > maxItems || cursors >= maxPages) {
            throw new InvalidResultException(
                    method + " has more than " + maxPages + " pages or " + maxItems + " items",
                    null);
        }
    }

    /**
     * Returns each item once. A server may choose thousands of items with the same hash, which a
     * table of texts can order, and one of items only search.
     */
    static <T> List<T> once(List<T> items) {
        Map<String, T> once = new LinkedHashMap<>();
        items.forEach(item -> once.putIfAbsent(item.toString(), item));
        return List.copyOf(once.values());
    }

    private void warn(String method, String fault) {
        parts.context().client().omissions().warnOnce(method, fault);
    }

    /** Reads a page. Where its cursor is refused, no kept page of the list is good any more. */
    public <R extends PaginatedResult> R page(
            Method<PaginatedRequest, R> method, @Nullable String cursor)
            throws InterruptedException {
        try {
            return parts.pipeline()
                    .call(method, new PaginatedRequest().withCursor(cursor), options);
        } catch (JsonRpcException e) {
            if (RetryPolicy.isRefusedCursor(e, cursor != null)) {
                parts.context().cache().forget(method);
            }
            throw e;
        }
    }

    // ---- tools

    /** Reads all tools. */
    public List<Tool> tools() throws InterruptedException {
        long now = parts.tools().version();
        List<Tool> all =
                all(Methods.LIST_TOOLS.name(), ListCalls::toolPage, ListToolsResult::tools);
        parts.tools().remember(all, now, true);
        return all;
    }

    /** Reads a page of tools. */
    public ListToolsResult toolPage(@Nullable String cursor) throws InterruptedException {
        long now = parts.tools().version();
        ListToolsResult page = page(Methods.LIST_TOOLS, cursor);
        if (parts.links().known().repeatsArguments()) {
            page =
                    new ListToolsResult(
                            parts.tools().withUsableHeaders(page.tools()),
                            page.nextCursor(),
                            page.meta(),
                            page.otherMembers());
        }
        parts.tools().remember(page.tools(), now, false);
        return page;
    }

    /**
     * Reads the definitions of the tools unless this one is known. Their progress is not reported,
     * and a list that cannot be read leaves the call without a check of its output.
     *
     * @param readings how often they are read where a change is reported meanwhile
     */
    public void learn(String tool, int readings) throws InterruptedException {
        parts.links().current(); // a lazy client learns of changes only from then on
        readDefinitions(tool, readings);
    }

    /**
     * Reads the definitions of the tools from the server, since those that are known, and the lists
     * that are kept, are out of date.
     *
     * @param seen the version of the definitions by which that turned out
     */
    public void learnAgain(String tool, long seen) throws InterruptedException {
        if (parts.tools().forget(seen)) {
            parts.context().cache().forget(Methods.LIST_TOOLS);
        }
        readDefinitions(tool, READINGS);
    }

    private void readDefinitions(String tool, int readings) throws InterruptedException {
        try {
            for (int i = 0; i < readings && !parts.tools().isKnown(tool); i++) {
                new ListCalls(parts, options.inBetween()).tools();
            }
        } catch (InvalidResultException e) {
            LimitedLog.log(
                    LOGGER,
                    Level.WARNING,
                    parts.context().peer(),
                    "The output of tool {0} is not checked: {1}",
                    Printable.excerpt(tool),
                    Printable.excerpt(e.getMessage()));
        }
    }
}

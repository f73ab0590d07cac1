package dev.fairlead.server.features;

import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.engine.Pace;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The paces of the methods of the protocol that need no handler of a feature: they are quick where
 * the server has the data in memory, and slow where a store or a source takes its time.
 */
public final class MethodPaces {
    private final Map<String, Pace> paces =
            List.of(
                            Methods.DISCOVER,
                            Methods.LIST_TOOLS,
                            Methods.LIST_PROMPTS,
                            Methods.LIST_RESOURCES,
                            Methods.LIST_RESOURCE_TEMPLATES,
                            Methods.GET_TASK)
                    .stream()
                    .map(Method::name)
                    .collect(
                            Collectors.toUnmodifiableMap(
                                    name -> name, name -> new Pace("the method " + name)));

    /** Returns the pace of a method; null if its requests get threads of their own. */
    @Nullable Pace of(String method) {
        return paces.get(method);
    }
}

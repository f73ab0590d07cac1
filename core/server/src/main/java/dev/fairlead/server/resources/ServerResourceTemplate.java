package dev.fairlead.server.resources;

import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.engine.Pace;
import dev.fairlead.protocol.resources.ReadResourceResult;
import dev.fairlead.protocol.resources.Resource;
import dev.fairlead.protocol.resources.ResourceTemplate;
import dev.fairlead.protocol.uri.UriTemplate;
import dev.fairlead.server.call.Access;
import dev.fairlead.server.completion.Completions;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.pagination.Feature;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A resource template as it stands in the catalog.
 *
 * @param pace decides whether the reading thread may run it; null if it may not
 * @param lister lists the resources that it stands for; null where it lists none
 */
public record ServerResourceTemplate(
        ResourceTemplate definition,
        UriTemplate template,
        Access access,
        @Nullable Pace pace,
        Completions completions,
        Reader reader,
        @Nullable Expander lister)
        implements Feature {
    @Override
    public String name() {
        return definition.uriTemplate();
    }

    /** Reads one of the resources. */
    @FunctionalInterface
    public interface Reader {
        /**
         * @return the contents, or empty where the variables do not fit and so there is no such
         *     resource
         */
        Optional<ReadResourceResult> read(String uri, Map<String, String> variables, Call call)
                throws Exception;
    }

    /** Lists the resources. */
    @FunctionalInterface
    public interface Expander {
        /** All resources that the caller may see, in the order of their URIs. */
        List<Resource> list(Caller caller, Call call) throws Exception;
    }
}

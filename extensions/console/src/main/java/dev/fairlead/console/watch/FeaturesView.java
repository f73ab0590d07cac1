package dev.fairlead.console.watch;

import dev.fairlead.http.console.HttpOperator;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.ServerOperator;
import dev.fairlead.protocol.ServerOperator.FeatureStatus;

import java.util.List;
import java.util.Set;

/** The features of the server, with their scopes, as a caller with chosen scopes sees them. */
final class FeaturesView implements View {
    private final HttpOperator endpoint;

    FeaturesView(HttpOperator endpoint) {
        this.endpoint = endpoint;
    }

    @Override
    public Snapshot snapshot(Query query) {
        ServerOperator server = endpoint.server().orElse(null);
        if (server == null) {
            return Snapshot.of(JsonObject.EMPTY);
        }
        List<FeatureStatus> matching =
                server.features(caller(query.scopes())).stream()
                        .filter(
                                feature ->
                                        query.matches(
                                                feature.kind(),
                                                feature.name(),
                                                String.join(" ", feature.scopes())))
                        .toList();
        return new Snapshot(
                JsonObject.EMPTY,
                matching.size(),
                matching.stream().limit(Snapshot.MAX_ROWS).map(FeaturesView::row).toList());
    }

    private static Caller caller(Set<String> scopes) {
        return scopes.isEmpty()
                ? Caller.anonymous()
                : Caller.of("https://console.invalid", "chosen caller", null, scopes);
    }

    private static Snapshot.Row row(FeatureStatus feature) {
        return new Snapshot.Row(
                feature.kind() + " " + feature.name(),
                JsonObject.of(
                        "kind", feature.kind(),
                        "name", Texts.shortened(feature.name()),
                        "scopes", List.copyOf(feature.scopes()),
                        "hidden", feature.hidden(),
                        "visible", feature.visible(),
                        "admitted", feature.admitted(),
                        "quick", feature.quick()));
    }
}

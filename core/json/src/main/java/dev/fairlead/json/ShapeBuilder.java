package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Builds the shapes of one codec. */
final class ShapeBuilder {
    private final JsonTypes types;
    private final Map<Object, Shape> built = new HashMap<>();

    /** Steps that need all shapes complete, among them those that contain themselves. */
    private final List<Runnable> last = new ArrayList<>();

    ShapeBuilder(JsonTypes types) {
        this.types = types;
    }

    /**
     * Builds the shape of a type, by reflection.
     *
     * @param annotated the type where {@code @Nullable} may stand in it
     * @param types how its records are reached
     * @throws IllegalArgumentException if the type, or one that it is made of, has no JSON form
     */
    static Shape shape(Type type, @Nullable AnnotatedType annotated, JsonTypes types) {
        ShapeBuilder builder = new ShapeBuilder(types);
        return builder.finish(
                ReflectedTypes.shape(ReflectedTypes.resolve(type, Map.of()), annotated, builder));
    }

    JsonTypes types() {
        return types;
    }

    private Shape finish(Shape shape) {
        last.forEach(Runnable::run);
        return shape;
    }

    static MapShape map(String type, Shape key, Shape value) {
        if (!key.isText()) {
            throw new IllegalArgumentException("the keys of " + type + " have no text form");
        }
        return new MapShape(key, value);
    }

    Shape recordOf(RecordModel model) {
        return model.isInline() ? inline(model) : recordOf(model, model.discriminators());
    }

    /** No record: linking the methods of one is felt at the start of a process. */
    private static Object key(Object identity, List<RecordShape.Discriminator> discriminators) {
        return List.of(identity, discriminators);
    }

    private RecordShape recordOf(
            RecordModel model, List<RecordShape.Discriminator> discriminators) {
        Object key = key(model.identity(), discriminators);
        if (built.get(key) instanceof RecordShape known) {
            return known;
        }
        var shape = new RecordShape(model.type(), model.doc(), model.access(), discriminators);
        built.put(key, shape);
        List<ComponentModel> declared = model.components();
        int others = others(model.type(), declared);
        shape.define(components(model, declared), others);
        return shape;
    }

    private static int others(Class<?> type, List<ComponentModel> declared) {
        int others = -1;
        for (int i = 0; i < declared.size(); i++) {
            if (declared.get(i).isOther()) {
                if (others >= 0) {
                    throw wrongOthers(type);
                }
                others = i;
            }
        }
        return others;
    }

    private static IllegalArgumentException wrongOthers(Class<?> type) {
        return new IllegalArgumentException(
                "@OtherMembers is for one JsonObject in " + type.getName());
    }

    private List<Component> components(RecordModel model, List<ComponentModel> declared) {
        List<Component> components = new ArrayList<>();
        for (ComponentModel component : declared) {
            Shape shape = shapeOf(component, model.type());
            try {
                components.add(new Component(model.access(), components.size(), component, shape));
            } catch (IllegalArgumentException e) {
                throw wrong(model.type(), component, e);
            }
        }
        return components;
    }

    private Shape shapeOf(ComponentModel component, Class<?> owner) {
        Shape shape;
        try {
            shape = component.shape().apply(this);
        } catch (IllegalArgumentException e) {
            throw wrong(owner, component, e);
        }
        if (component.isOther() && shape != TreeShape.OBJECT) {
            throw wrongOthers(owner);
        }
        return component.isOneOrMany() ? oneOrMany(shape, component, owner) : shape;
    }

    private static IllegalArgumentException wrong(
            Class<?> owner, ComponentModel component, IllegalArgumentException cause) {
        return new IllegalArgumentException(
                owner.getName() + "." + component.name() + ": " + cause.getMessage(), cause);
    }

    private static Shape oneOrMany(Shape shape, ComponentModel component, Class<?> owner) {
        if (shape instanceof ArrayShape.OfList list && !(list.element() instanceof ArrayShape)) {
            return new OneOrManyShape(list);
        }
        throw new IllegalArgumentException(
                "@JsonOneOrMany is for a list whose elements are no lists, not for "
                        + owner.getName()
                        + "."
                        + component.name());
    }

    private InlineShape inline(RecordModel model) {
        Object key = key(model.identity(), List.of());
        if (built.get(key) instanceof InlineShape known) {
            return known;
        }
        List<ComponentModel> declared = model.components();
        if (declared.size() != 1) {
            throw new IllegalArgumentException(
                    "@JsonInline is for records of one component, not for "
                            + model.type().getName());
        }
        InlineShape shape = new InlineShape(model.type(), model.access());
        built.put(key, shape);
        shape.define(components(model, declared).get(0));
        return shape;
    }

    Shape sealed(ReflectedSealed model) {
        Object key = key(model.identity(), List.of());
        Shape known = built.get(key);
        if (known != null) {
            return known;
        }
        SealedShape shape =
                new SealedShape(
                        model.type(), model.doc(), model.discriminator(), model.valueOfAbsent());
        built.put(key, shape);
        for (ReflectedSealed.Case one : model.cases()) {
            Class<?> recordType = one.model().type();
            if (one.model().isInline()) {
                InlineShape inline = inline(one.model());
                last.add(() -> shape.defineInline(recordType, inline));
            } else {
                shape.defineObject(
                        recordType, one.value(), recordOf(one.model(), discriminators(model, one)));
            }
        }
        return shape;
    }

    private static List<RecordShape.Discriminator> discriminators(
            ReflectedSealed model, ReflectedSealed.Case one) {
        List<RecordShape.Discriminator> all = new ArrayList<>();
        all.add(
                new RecordShape.Discriminator(
                        model.discriminator(),
                        one.value(),
                        model.valueOfAbsent().equals(one.value())));
        all.addAll(one.model().discriminators());
        return merged(all);
    }

    /** One discriminator for each name; it may be absent if none of that name must be there. */
    static List<RecordShape.Discriminator> merged(List<RecordShape.Discriminator> all) {
        Map<String, RecordShape.Discriminator> byName = new LinkedHashMap<>();
        for (RecordShape.Discriminator one : all) {
            byName.merge(
                    one.name(),
                    one,
                    (a, b) ->
                            new RecordShape.Discriminator(
                                    a.name(), a.value(), a.optional() && b.optional()));
        }
        return List.copyOf(byName.values());
    }
}

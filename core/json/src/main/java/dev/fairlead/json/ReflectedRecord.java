package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A record as reflection finds it.
 *
 * @param identity the class, or the class with its type arguments
 * @param types how it is reached
 */
record ReflectedRecord(Type identity, JsonTypes types) implements RecordModel {
    @Override
    public Class<?> type() {
        return identity instanceof ReflectedTypes.Applied applied
                ? applied.raw()
                : (Class<?>) identity;
    }

    @Override
    public @Nullable String doc() {
        return types.description(type());
    }

    @Override
    public boolean isInline() {
        return type().isAnnotationPresent(JsonInline.class);
    }

    /** Returns the discriminators of the interfaces that declare one. */
    @Override
    public List<RecordShape.Discriminator> discriminators() {
        List<RecordShape.Discriminator> found = new ArrayList<>();
        collect(type(), found);
        return ShapeBuilder.merged(found);
    }

    private void collect(Class<?> child, List<RecordShape.Discriminator> found) {
        for (Class<?> parent : child.getInterfaces()) {
            JsonDiscriminator declared = parent.getAnnotation(JsonDiscriminator.class);
            if (declared != null) {
                String value = caseName(type());
                found.add(
                        new RecordShape.Discriminator(
                                declared.value(), value, declared.absent().equals(value)));
            }
            collect(parent, found);
        }
    }

    /** The value that identifies a record in a sealed interface. */
    static String caseName(Class<?> recordType) {
        JsonName name = recordType.getAnnotation(JsonName.class);
        return name == null ? recordType.getSimpleName() : name.value();
    }

    @Override
    public RecordAccess access() {
        return types.access(type());
    }

    @Override
    public List<ComponentModel> components() {
        ForeignAnnotations.check(type());
        Map<TypeVariable<?>, Type> variables = variables();
        RecordComponent[] components = type().getRecordComponents();
        List<? extends AnnotatedElement> annotated =
                KotlinRecord.isKotlin(type())
                        ? KotlinRecord.annotated(type())
                        : List.of(components);
        List<ComponentModel> models = new ArrayList<>();
        for (int i = 0; i < components.length; i++) {
            models.add(model(components[i], annotated.get(i), variables));
        }
        return models;
    }

    private ComponentModel model(
            RecordComponent component,
            AnnotatedElement element,
            Map<TypeVariable<?>, Type> variables) {
        AnnotatedType annotated = component.getAnnotatedType();
        return ComponentModel.of(
                        element,
                        component.getName(),
                        component.toString(),
                        annotated.isAnnotationPresent(Nullable.class),
                        shapes ->
                                ReflectedTypes.shape(
                                        ReflectedTypes.resolve(
                                                component.getGenericType(), variables),
                                        annotated,
                                        shapes))
                .describedBy(types.description(type(), component.getName()));
    }

    private Map<TypeVariable<?>, Type> variables() {
        Map<TypeVariable<?>, Type> variables = new HashMap<>();
        if (identity instanceof ReflectedTypes.Applied applied) {
            for (int i = 0; i < applied.arguments().size(); i++) {
                variables.put(type().getTypeParameters()[i], applied.arguments().get(i));
            }
        }
        return variables;
    }
}

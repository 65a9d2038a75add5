package core

import (
	"fmt"
	"maps"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"terrarium/core/kinds"
	"terrarium/core/kinds/check"
)

func limitRanges() kinds.Strategy {
	return kinds.Strategy{
		Default:        defaultLimitRange,
		Validate:       validateLimitRange,
		ValidateUpdate: func(obj, _ kinds.Object) field.ErrorList { return validateLimitRange(obj) },
		CreateOnUpdate: true,
	}
}

// defaultLimitRange takes missing defaults of containers from the bounds.
//
// Models pkg/apis/core/v1 SetDefaults_LimitRangeItem.
func defaultLimitRange(obj kinds.Object) {
	l := obj.(*corev1.LimitRange)
	l.Spec = *l.Spec.DeepCopy()
	fill := filler{}
	for i := range l.Spec.Limits {
		item := &l.Spec.Limits[i]
		if item.Type == corev1.LimitTypeContainer {
			limits, requests := corev1.ResourceList{}, corev1.ResourceList{}
			maps.Copy(limits, item.Max)
			maps.Copy(limits, item.Default)
			maps.Copy(requests, item.Min)
			maps.Copy(requests, limits)
			maps.Copy(requests, item.DefaultRequest)
			item.Default, item.DefaultRequest = limits, requests
		}
		for _, list := range [...]corev1.ResourceList{item.Max, item.Min, item.Default, item.DefaultRequest, item.MaxLimitRequestRatio} {
			fill.resources(list)
		}
	}
}

// validateLimitRange checks that bounds and defaults do not contradict each other.
//
// Models pkg/apis/core/validation ValidateLimitRange.
func validateLimitRange(obj kinds.Object) field.ErrorList {
	var e check.Errors
	var types check.Set
	spec := check.Root("spec")
	limits := spec.Child("limits")
	for i := range obj.(*corev1.LimitRange).Spec.Limits {
		l, limit := &obj.(*corev1.LimitRange).Spec.Limits[i], limits.Index(i)
		limitType(&e, &limit, l.Type)
		if !types.Add(string(l.Type)) {
			e.Duplicate(&limit, "type", l.Type)
		}
		limitNames(&e, &limit, l)
		limitAmounts(&e, &limit, l)
	}
	return e.List()
}

func limitType(e *check.Errors, at *check.Path, t corev1.LimitType) {
	if !check.IsQualifiedName(string(t)) {
		e.InvalidAll(at, "type", t, validation.IsQualifiedName(string(t)))
		return
	}
	switch t {
	case corev1.LimitTypePod, corev1.LimitTypeContainer, corev1.LimitTypePersistentVolumeClaim:
	default:
		if !hasDomain(string(t)) {
			e.Invalid(at, "type", t, "must be a standard limit type or fully qualified")
		}
	}
}

func limitNames(e *check.Errors, at *check.Path, l *corev1.LimitRangeItem) {
	v := podValidator{}
	names := func(child string, list corev1.ResourceList) {
		place := at.Child(child)
		for _, name := range check.Keys(list) {
			key := place.Key(string(name))
			if l.Type == corev1.LimitTypePod || l.Type == corev1.LimitTypeContainer {
				v.containerResourceName(&key, name)
			} else {
				resourceName(&v.Errors, &key, name)
			}
		}
	}
	names("max", l.Max)
	names("min", l.Min)
	if l.Type == corev1.LimitTypePod {
		if len(l.Default) > 0 {
			v.Forbidden(at, "default", "may not be specified when `type` is 'Pod'")
		}
		if len(l.DefaultRequest) > 0 {
			v.Forbidden(at, "defaultRequest", "may not be specified when `type` is 'Pod'")
		}
	} else {
		names("default", l.Default)
		names("defaultRequest", l.DefaultRequest)
	}
	if l.Type == corev1.LimitTypePersistentVolumeClaim {
		_, low := l.Min[corev1.ResourceStorage]
		_, high := l.Max[corev1.ResourceStorage]
		if !low && !high {
			v.Required(at, "limits", "either minimum or maximum storage value is required, but neither was provided")
		}
	}
	names("maxLimitRequestRatio", l.MaxLimitRequestRatio)
	e.Add(v.List()...)
}

// A bound is one amount of a limit range; it may be absent.
type bound struct {
	q  resource.Quantity
	ok bool
}

func (b bound) above(c bound) bool { return b.ok && c.ok && b.q.Cmp(c.q) > 0 }
func (b bound) String() string     { return b.q.String() }

func boundOf(list corev1.ResourceList, name corev1.ResourceName) bound {
	q, ok := list[name]
	return bound{q, ok}
}

func limitAmounts(e *check.Errors, at *check.Path, l *corev1.LimitRangeItem) {
	all := map[corev1.ResourceName]bool{}
	for _, list := range [...]corev1.ResourceList{l.Max, l.Min, l.Default, l.DefaultRequest, l.MaxLimitRequestRatio} {
		for name := range list {
			all[name] = true
		}
	}
	pod := l.Type == corev1.LimitTypePod
	for _, name := range check.Keys(all) {
		low, high, ratio := boundOf(l.Min, name), boundOf(l.Max, name), boundOf(l.MaxLimitRequestRatio, name)
		limit, request := boundOf(l.Default, name), boundOf(l.DefaultRequest, name)
		if pod {
			limit, request = bound{}, bound{}
		}
		say := func(bad bool, child string, value bound, detail string) {
			if bad {
				place := at.Child(child)
				key := place.Key(string(name))
				e.Invalid(&key, "", value.q, detail)
			}
		}
		say(low.above(high), "min", low, "min value "+low.String()+" is greater than max value "+high.String())
		say(low.above(request), "defaultRequest", request, "min value "+low.String()+" is greater than default request value "+request.String())
		say(request.above(high), "defaultRequest", request, "default request value "+request.String()+" is greater than max value "+high.String())
		say(request.above(limit), "defaultRequest", request, "default request value "+request.String()+" is greater than default limit value "+limit.String())
		say(low.above(limit), "default", low, "min value "+low.String()+" is greater than default value "+limit.String())
		say(limit.above(high), "default", high, "default value "+limit.String()+" is greater than max value "+high.String())
		one := bound{*resource.NewQuantity(1, resource.DecimalSI), true}
		say(one.above(ratio), "maxLimitRequestRatio", ratio, "ratio "+ratio.String()+" is less than 1")
		if ratio.ok && low.ok && high.ok {
			have, most := ratioOf(ratio.q, low.q, high.q)
			say(have > most, "maxLimitRequestRatio", ratio, fmt.Sprintf("ratio %s is greater than max/min = %f", ratio.String(), most))
		}
		differ := limit.ok && request.ok && limit.q.Cmp(request.q) != 0
		say(differ && !isOvercommittable(name), "defaultRequest", request, "default value "+limit.String()+" must equal to defaultRequest value "+request.String()+" in "+string(name))
	}
}

// ratioOf returns a ratio and the greatest that bounds leave room for.
func ratioOf(ratio, low, high resource.Quantity) (have, most float64) {
	have, lowest, highest := float64(ratio.Value()), low.Value(), high.Value()
	if ratio.Value() < resource.MaxMilliValue && lowest < resource.MaxMilliValue && highest < resource.MaxMilliValue {
		have, lowest, highest = float64(ratio.MilliValue())/1000, low.MilliValue(), high.MilliValue()
	}
	return have, float64(highest) / float64(lowest)
}
